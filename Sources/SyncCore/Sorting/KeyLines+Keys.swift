import JSONLines

extension KeyLines {
  /// Appends the canonical key, without reading the line again where it stands there as it is.
  package func appendKey(_ words: KeyWords, _ reader: inout ChangeReader, to bytes: inout [UInt8]) {
    let entry = self[0]
    guard entry.keyOffset > 0 else { return bytes.append(contentsOf: reader.key(of: text(0))) }
    bytes.append(contentsOf: words.prefix(of: entry.word))
    let line = text(0)
    let start = Int(entry.keyOffset)
    bytes.append(line.extracting(start..<line.endOfKeyValue(start)))
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "]"))
  }
}
