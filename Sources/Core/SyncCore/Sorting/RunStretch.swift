package import JSONLines

/// Records of a sorted run that are in memory.
package struct RunStretch: Sendable {
  /// The records' text and their entries, whose words are indexes in `forms`.
  private(set) var block: LineBlock
  private var forms: [[UInt8]]
  /// The end of the last complete record of the text.
  private let end: Int

  /// An empty stretch, before the first record of a run.
  package init() { (block, forms, end) = (LineBlock(TextRegion([]), 0..<0, source: 0), [], 0) }

  /// The complete records of a text that begins with the remaining records of `earlier`.
  package init(_ text: TextRegion, after earlier: RunStretch) {
    var forms = earlier.nextForm
    var entries: [LineEntry] = []
    var end = 0
    let span = text.span
    while let record = RunRecord(span, at: end) {
      if !record.form.isEmpty {
        let form = Array(copying: span.extracting(record.form))
        if form != forms.last { forms.append(form) }
      }
      entries.append(record.entry)
      entries[entries.count - 1].word = UInt64(forms.count - 1)
      end = record.end
    }
    block = LineBlock(text, 0..<text.count, source: 0)
    block.entries = entries
    (self.forms, self.end) = (forms, end)
  }

  package var isEmpty: Bool { block.entries.isEmpty }

  /// The text from the first record on, including an incomplete one at the end.
  package var rest: Span<UInt8> {
    @_lifetime(borrow self)
    get { block.text.extracting(start...) }
  }

  package var restSize: Int { block.range.count - start }

  private var start: Int { block.entries.first.map { Int($0.offset) - RunRecord.headerSize } ?? end }

  /// The form of the first record, or the last form if the stretch is empty; empty at the beginning of a run.
  private var nextForm: [[UInt8]] {
    if let first = block.entries.first { return [forms[Int(first.word)]] }
    return forms.suffix(1)
  }

  /// Removes and returns the records whose keys are before `key`; all if nil.
  package mutating func take(before key: [UInt8]?, _ reader: inout ChangeReader) -> RunStretch {
    let count = key.map { place(of: $0, &reader) } ?? block.entries.count
    var taken = self
    taken.block.entries.removeLast(block.entries.count - count)
    block.entries.removeFirst(count)
    return taken
  }

  /// How many records have keys before `key`.
  private func place(of key: [UInt8], _ reader: inout ChangeReader) -> Int {
    var (low, high) = (0, block.entries.count)
    while low < high {
      let middle = (low + high) / 2
      if self.key(middle, &reader).precedes(key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The canonical key of the last record; nil if missing.
  package func lastKey(_ reader: inout ChangeReader) -> [UInt8]? {
    isEmpty ? nil : key(block.entries.count - 1, &reader)
  }

  private func key(_ index: Int, _ reader: inout ChangeReader) -> [UInt8] {
    let entry = block.entries[index]
    guard entry.keyOffset > 0 else { return reader.key(of: block.line(at: Int(entry.offset))) }
    var key = forms[Int(entry.word)]
    key.append(block.text.extracting(entry.keyStart..<block.text.endOfKeyValue(entry.keyStart)))
    if entry.flags.contains(.capitals) {
      UUIDCapitals.lower(&key, key.count - UUIDCapitals.count..<key.count)
    }
    key += KeyForms.plainEnd
    return key
  }

  /// The forms of the records, in order, each with the common beginning of its keys.
  func keyForms(_ reader: inout ChangeReader) -> KeyForms {
    var keyForms = KeyForms()
    var start = 0
    while start < block.entries.count {
      let (word, length) = (block.entries[start].word, forms[Int(block.entries[start].word)].count)
      let end = block.entries[start...].firstIndex { $0.word != word } ?? block.entries.count
      // In sorted order, all keys between two keys begin with the common prefix of both.
      _ = keyForms.add(key(start, &reader), form: length)
      if end - start > 1 { _ = keyForms.add(key(end - 1, &reader), form: length) }
      start = end
    }
    return keyForms
  }
}

extension [UInt8] {
  /// Whether this key is before another one; a key is never a prefix of another.
  package func precedes(_ other: [UInt8]) -> Bool {
    ByteSearch.compare(span, other.span) < 0
  }
}
