/// Reads bytes out of the hex that people paste: a plain hex stream, `xxd`, `hexdump -C`, `od -Ax -tx1`,
/// `tcpdump -x`, or a hex dump copied from Wireshark.
///
/// A dump line starts with an offset, which must go on where the line before ended: a line that was lost in
/// copying is an error, not a gap. An offset of 0 begins another dump, whose bytes follow.
package struct HexText: Sendable {
  private var isDump = false
  private var expected = 0

  package init() {}

  /// What is wrong in a line, and at which byte of it.
  package struct Failure: Error, Equatable, Sendable {
    package var message: String
    package var column: Int
  }

  /// Appends the bytes of one line.
  package mutating func decode(_ line: Span<UInt8>, into bytes: inout [UInt8]) throws(Failure) {
    let start = line.skip(from: 0) { $0.isBlank }
    guard start < line.count else { return }
    if line[start] == UInt8(ascii: "*") {
      throw Failure(
        message: "the dump leaves repeated lines out ('*'): make it with all of them", column: start)
    }
    guard let offset = try offset(line, start) else {
      if isDump { throw Failure(message: "a line without an offset in a dump", column: start) }
      return try decodePlain(line, from: start, into: &bytes)
    }
    let count = bytes.count
    try decodeDump(line, from: offset.end, hasColon: offset.hasColon, into: &bytes)
    isDump = true
    expected = offset.value + bytes.count - count
  }

  private struct Offset { var value: Int, end: Int, hasColon: Bool }

  /// The line's offset, nil where it has none: hex digits and a colon, or at least four digits and two blanks.
  ///
  /// `od -Ax -tx1` puts one blank behind it; that is read so in a dump that begins with six zeros or more.
  private func offset(_ line: Span<UInt8>, _ start: Int) throws(Failure) -> Offset? {
    let digits = line.hasHexMark(at: start) ? start + 2 : start
    var end = line.skip(from: digits) { $0.isHexDigit }
    guard (1...15).contains(end - digits), let value = Int(line.text(digits..<end), radix: 16) else {
      return nil
    }
    let hasColon = end < line.count && line[end] == UInt8(ascii: ":")
    if hasColon { end += 1 }
    let gap = line.skip(from: end) { $0.isBlank } - end
    let isLast = end + gap == line.count
    let isSingle = gap == 1 && line.isLonePair(at: end + 1) && (isDump || end - digits >= 6 && value == 0)
    guard hasColon ? gap > 0 || isLast : end - digits >= 4 && (gap > 1 || isLast && isDump || isSingle) else {
      return nil
    }
    if isDump, value != expected, value != 0 || isLast {
      let message =
        "offset \(String(value, radix: 16)), expected \(String(expected, radix: 16)) (is a line missing, or the dump not in hex bytes?)"
      throw Failure(message: message, column: start)
    }
    return Offset(value: value, end: end, hasColon: hasColon)
  }

  /// Groups of whole bytes, one blank apart; wider blank space or `|` begins the text column.
  ///
  /// Without the
  /// colon, a gap of exactly two blanks after eight bytes is a gap in the middle of the row.
  private func decodeDump(
    _ line: Span<UInt8>, from start: Int, hasColon: Bool, into bytes: inout [UInt8]
  ) throws(Failure) {
    var position = line.skip(from: start) { $0.isBlank }
    let first = bytes.count
    while position < line.count, line[position].isHexDigit {
      let end = line.skip(from: position) { $0.isHexDigit }
      try appendPairs(line, position..<end, to: &bytes)
      position = line.skip(from: end) { $0.isBlank }
      let gap = position - end
      let isMiddle = !hasColon && gap == 2 && bytes.count - first == 8 && line.isLonePair(at: position)
      if gap > 1, !isMiddle { return }
    }
    if position < line.count, line[position] != UInt8(ascii: "|") {
      throw Failure(message: "not a hex digit", column: position)
    }
  }

  /// Pairs of digits with blanks, commas, colons, quotes, `0x` or `\x` between them.
  private func decodePlain(
    _ line: Span<UInt8>, from start: Int, into bytes: inout [UInt8]
  ) throws(Failure) {
    var position = start
    while position < line.count {
      if line[position].isBlank || line[position].isHexSeparator {
        position += 1
      } else if line.hasHexMark(at: position) {
        position += 2
      } else {
        let end = line.skip(from: position) { $0.isHexDigit }
        guard end > position else { throw Failure(message: "not a hex digit", column: position) }
        try appendPairs(line, position..<end, to: &bytes)
        position = end
      }
    }
  }

  private func appendPairs(
    _ line: Span<UInt8>, _ digits: Range<Int>, to bytes: inout [UInt8]
  ) throws(Failure) {
    guard digits.count.isMultiple(of: 2) else {
      throw Failure(message: "an odd number of hex digits", column: digits.lowerBound)
    }
    for index in stride(from: digits.lowerBound, to: digits.upperBound, by: 2) {
      bytes.append(line[index].hexDigitValue << 4 | line[index + 1].hexDigitValue)
    }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 32 || self == 9 || self == 13 }
  fileprivate var isHexDigit: Bool { self &- 48 < 10 || (self | 32) &- 97 < 6 }
  fileprivate var hexDigitValue: UInt8 { self < 58 ? self - 48 : (self | 32) - 87 }
  fileprivate var isHexSeparator: Bool { [UInt8(ascii: ","), 58, 34, 39, UInt8(ascii: ";")].contains(self) }
}

extension Span<UInt8> {
  fileprivate func skip(from start: Int, while matches: (UInt8) -> Bool) -> Int {
    var index = start
    while index < count, matches(self[index]) { index += 1 }
    return index
  }

  fileprivate func text(_ range: Range<Int>) -> String {
    String(decoding: range.map { self[$0] }, as: UTF8.self)
  }

  /// `0x` or `\x`.
  fileprivate func hasHexMark(at index: Int) -> Bool {
    guard index + 1 < count, self[index + 1] | 32 == UInt8(ascii: "x") else { return false }
    return self[index] == UInt8(ascii: "0") || self[index] == UInt8(ascii: "\\")
  }

  /// Two hex digits and then a blank or the end.
  fileprivate func isLonePair(at index: Int) -> Bool {
    let end = skip(from: index) { $0.isHexDigit }
    return end - index == 2 && (end == count || self[end].isBlank)
  }
}
