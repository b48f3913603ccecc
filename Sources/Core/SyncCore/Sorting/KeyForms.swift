import JSONLines

/// The beginnings that keys have in common: `["Task",{"id":` is the form of one entity's keys.
///
/// Every key belongs to one form, and a form is never a prefix of another, so keys are ordered by form first.
/// Within a form, all keys have a further common beginning; only the bytes after it distinguish keys.
package struct KeyForms: Sendable {
  struct Form: Sendable {
    var prefix: [UInt8]
    /// The tail of the first key that was added.
    var tail: [UInt8]
    /// The length of the common beginning of the tails of all keys.
    var shared: Int

    /// The entity's name at the beginning of the form: a canonical string with its quotes.
    var entityName: [UInt8] {
      let text = prefix.span
      var cursor = ContainerCursor(opening: 0)
      _ = cursor.hasNext(in: text)
      return Array(prefix[cursor.passValue(in: text)])
    }
  }

  /// The bytes after the value in a key with a plain identity.
  static let plainEnd = Array("}]".utf8)

  private(set) var forms: [Form] = []
  /// The approximate size of the forms in memory, in bytes: their texts, and about 200 bytes for each.
  package private(set) var size = 0
  private var places: [[UInt8]: Int] = [:]
  private var last = 0

  package init() {}

  /// The length of a canonical key after its form, which ends with the identity's first colon.
  ///
  /// If the identity is empty, the whole key is the form. Without the closing `}]`, the form would be a prefix
  /// of the entity's other forms.
  static func tailLength(of key: [UInt8]) -> Int {
    let text = key.span
    var cursor = ContainerCursor(opening: 0)
    _ = cursor.hasNext(in: text)
    _ = cursor.passValue(in: text)
    _ = cursor.hasNext(in: text)
    var member = ContainerCursor(opening: cursor.position)
    guard member.hasNext(in: text) else { return 0 }
    _ = member.readName(in: text)
    return key.count - member.position
  }

  /// Counts a key whose first `form` bytes are its form; returns the form's index.
  mutating func add(_ key: [UInt8], form: Int) -> Int {
    let place = find(key, form)
    let span = key.span
    let tail = forms[place].tail
    let shared = ByteSearch.commonPrefix(tail.span, 0..<forms[place].shared, span, form..<key.count)
    if shared < forms[place].shared { forms[place].shared = shared }
    return place
  }

  /// The common beginning of the tails of all keys of a form; nil if it is too long.
  func shared(_ place: Int) -> ShortString? {
    let tail = forms[place].tail
    return ShortString(tail.span, 0..<forms[place].shared)
  }

  private mutating func find(_ key: [UInt8], _ form: Int) -> Int {
    if last < forms.count, forms[last].prefix.count == form, key.starts(with: forms[last].prefix) {
      return last
    }
    let prefix = Array(key[..<form])
    if let place = places[prefix] {
      last = place
    } else {
      last = forms.count
      places[prefix] = last
      // The `}]` at the end of a single key is not shared, because in a line other bytes may follow there.
      let shared = max(0, key.count - form - 2)
      forms.append(Form(prefix: prefix, tail: Array(key[form...]), shared: shared))
      size += key.count + 200
    }
    return last
  }

  /// Adds the forms of a block; returns their indexes in these forms.
  package mutating func add(_ other: KeyForms) -> [Int] {
    other.forms.map { form in
      let place = add(form.prefix + form.tail, form: form.prefix.count)
      forms[place].shared = min(forms[place].shared, form.shared)
      return place
    }
  }
}

/// Makes numbers that sort as keys do: the form's rank, then the bytes that distinguish keys.
package struct KeyWords: Sendable {
  private struct Form: Sendable {
    var high: UInt64
    /// How many bytes of the key precede the bytes in the word.
    var skipped: Int
    /// How many bytes of the key's tail precede the bytes in the word.
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

  /// The index in `prefixes` of the form of a word's key.
  func place(of word: UInt64) -> Int { Int(word >> (64 - bits)) }

  /// The new word of an entry whose present word is the index of its form in the block; `places` maps that
  /// index to the index here.
  func word(
    _ entry: LineEntry, _ places: [Int], in text: Span<UInt8>, _ reach: LineReach, _ reader: inout KeyReader
  ) -> UInt64 {
    let form = forms[places[Int(entry.word)]]
    let bytes =
      entry.keyOffset > 0
      ? entry.keyWord(text, skipping: form.shared)
      : reader.key(of: reach.line(at: Int(entry.offset), in: text)).span.word(at: form.skipped)
    return form.high | bytes >> bits
  }
}

/// Sets the words of the entries of a block and sorts the entries; each thread has its own sorter.
package struct BlockSorter {
  private let words: KeyWords
  private var keys: KeyReader
  private var sorter = EntrySorter()

  package init(_ words: KeyWords, _ shape: RecordShape) {
    self.words = words
    keys = KeyReader(shape)
  }

  /// `forms` maps the forms of the block to the forms of all blocks.
  package mutating func sort(_ block: inout LineBlock, _ forms: [Int]) {
    var entries = block.entries
    block.entries = []
    let (region, range) = (block.region, block.range)
    let text = region.span.extracting(range)
    for index in entries.indices {
      entries[index].word = words.word(entries[index], forms, in: text, block.reach, &keys)
    }
    sorter.sort(&entries)
    block.entries = entries
  }
}
