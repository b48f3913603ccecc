import JSONLines

/// Gives the canonical keys of the lines in blocks that have not been sorted; one for each thread.
package struct BlockKeys {
  private var reader: ChangeReader

  package init(_ shape: RecordShape) { reader = ChangeReader(shape) }

  /// Appends the key of an entry; `forms` are those of its block.
  package mutating func append(
    _ entry: LineEntry, of block: LineBlock, _ forms: KeyForms, to bytes: inout [UInt8]
  ) {
    if entry.keyOffset > 0, !entry.flags.contains(.capitals) {
      let text = block.text
      bytes += forms.forms[Int(entry.word)].prefix
      bytes.append(text.extracting(entry.keyStart..<text.endOfKeyValue(entry.keyStart)))
      bytes += KeyForms.plainEnd
    } else {
      _ = reader.change(block.line(at: Int(entry.offset)), key: &bytes)
    }
  }
}
