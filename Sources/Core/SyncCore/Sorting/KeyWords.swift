import JSONLines

/// Makes one number of a key, ordered as keys are: the form's place in order, then the bytes that tell keys apart.
package struct KeyWords: Sendable {
  private struct Form: Sendable {
    var high: UInt64
    /// Bytes of the key before those that go into the word.
    var skipped: Int
    /// Bytes of the rest of the key before those that go into the word.
    var shared: Int
  }

  private var forms: [Form]
  /// The beginnings of keys, in order.
  let prefixes: [[UInt8]]
  private let bits: UInt64

  package init(_ keys: KeyForms) {
    let order = keys.forms.indices.sorted {
      keys.forms[$0].prefix.lexicographicallyPrecedes(keys.forms[$1].prefix)
    }
    let bits = UInt64(max(1, UInt64.bitWidth - (max(order.count, 1) - 1).leadingZeroBitCount))
    forms = keys.forms.map { Form(high: 0, skipped: $0.prefix.count + $0.shared, shared: $0.shared) }
    for (rank, place) in order.enumerated() { forms[place].high = UInt64(rank) << (64 - bits) }
    prefixes = order.map { keys.forms[$0].prefix }
    self.bits = bits
  }

  /// The place among `prefixes` of the form of the key that a word was made of.
  func place(of word: UInt64) -> Int { Int(word >> (64 - bits)) }

  /// For an entry whose word is still the place of its form; `places` leads from the block's forms to these.
  func word(
    _ entry: LineEntry, _ places: [Int], in text: Span<UInt8>, _ reader: inout KeyReader
  ) -> UInt64 {
    let form = forms[places[Int(entry.word)]]
    let bytes =
      entry.keyOffset > 0
      ? entry.keyWord(text, skipping: form.shared)
      : reader.key(at: Int(entry.offset), in: text).span.word(at: form.skipped)
    return form.high | bytes >> bits
  }
}

/// Gives the entries of blocks their words and sorts them; one for each thread.
package struct BlockSorter {
  private let words: KeyWords
  private var keys: KeyReader
  private var sorter = EntrySorter()

  package init(_ words: KeyWords, _ shape: RecordShape) {
    self.words = words
    keys = KeyReader(shape)
  }

  /// `forms` leads from the forms of the block to those of all blocks.
  package mutating func sort(_ block: inout LineBlock, _ forms: [Int]) {
    var entries = block.entries
    block.entries = []
    let (region, range) = (block.region, block.range)
    let text = region.span.extracting(range)
    for index in entries.indices {
      entries[index].word = words.word(entries[index], forms, in: text, &keys)
    }
    sorter.sort(&entries)
    block.entries = entries
  }
}
