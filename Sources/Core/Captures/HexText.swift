/// Reads bytes from hex that people paste.
///
/// It accepts a plain hex stream, `xxd` (also `-d`, `-i` and `-p`), `hexdump -C`, and `od -tx1` with offsets
/// in any base. It also accepts the dump of `tcpdump -x`, or a hex dump copied from Wireshark.
///
/// A dump line starts with an offset, which must continue the previous line: a line that was lost in copying
/// is an error, not a gap. An offset of 0 begins another dump, whose bytes follow. Text that looks like hex
/// but is something else is rejected, with its kind in the message.
package struct HexText: Sendable {
  /// A possible base of the offsets of a dump, and the next offset in that base.
  private struct Numbering {
    var base: Int
    var next: Int
  }

  private let readsPackets: Bool
  private var isDump = false
  /// The bases that agree with the offsets so far.
  private var numberings: [Numbering] = []

  /// With `readsPackets`, a packet may include its headers and the line that `tcpdump` prints before it.
  package init(readsPackets: Bool = false) { self.readsPackets = readsPackets }

  /// The fault in a line, with the offset of its byte.
  package struct Failure: Error, Equatable, Sendable {
    package var message: String
    package var column: Int
    /// How to produce text that can be read.
    package var hint: String?

    init(message: String, column: Int, hint: String? = nil) {
      (self.message, self.column, self.hint) = (message, column, hint)
    }

    init(_ finding: HexForeign.Finding, column: Int) {
      self.init(message: finding.message, column: column, hint: finding.hint)
    }
  }

  /// Appends the bytes of one line.
  package mutating func decode(_ line: Span<UInt8>, into bytes: inout [UInt8]) throws(Failure) {
    let start = line.skip(from: 0) { $0.isBlank }
    guard start < line.count else { return }
    if line[start] == UInt8(ascii: "*") {
      throw Failure(
        message: "a '*' for repeated lines", column: start, hint: "make a dump with all lines")
    }
    guard let offset = offset(line, start) else {
      return try decodeOther(line, start, into: &bytes)
    }
    if offset.digits.count == 7, !offset.isLast,
      !line.isLonePair(at: line.skip(from: offset.end) { $0.isBlank })
    {
      throw Failure(HexForeign.words, column: start)
    }
    let fitting = try numberings(of: offset, line)
    let count = bytes.count
    let row = try decodeDump(line, from: offset.end, hasColon: offset.hasColon, into: &bytes)
    if let finding = foreign(bytes.span.extracting(count..<bytes.count), row, offset, line) {
      // These bytes do not belong to the dump.
      bytes.removeLast(bytes.count - count)
      throw Failure(finding, column: start)
    }
    isDump = true
    numberings = fitting.map { Numbering(base: $0.base, next: $0.next + bytes.count - count) }
  }

  /// Reads a line without an offset: digits, or the text around them.
  private func decodeOther(_ line: Span<UInt8>, _ start: Int, into bytes: inout [UInt8]) throws(Failure) {
    let count = bytes.count
    do throws(Failure) {
      if isDump { throw Failure(message: "a line without an offset in a dump", column: start) }
      try decodePlain(line, from: start, into: &bytes)
    } catch {
      let partial = bytes[count...]
      bytes.removeLast(partial.count)
      if try passOver(line, start) { return }
      bytes += partial
      throw error
    }
  }

  /// Skips the lines of `xxd -i` around the bytes, and rejects other lines that are not hex.
  private func passOver(_ line: Span<UInt8>, _ start: Int) throws(Failure) -> Bool {
    let text = line.text(start..<line.count)
    if HexForeign.isDeclaration(text) { return true }
    if HexForeign.isSummary(text) {
      if readsPackets, !isDump { return true }
      throw Failure(readsPackets ? HexForeign.secondPacket : HexForeign.packet, column: start)
    }
    if HexForeign.hasWords(text) { throw Failure(HexForeign.words, column: start) }
    return false
  }

  private struct Offset {
    var digits: Range<Int>
    var end: Int
    var hasColon: Bool
    /// Whether the offset begins with `0x`.
    var hasMark: Bool
    /// Whether the line has only an offset; this offset is the length of the dump.
    var isLast: Bool
    var isZero: Bool
  }

  /// The line's offset, or nil: digits and a colon, or at least four digits and two blanks.
  ///
  /// `od -tx1` prints one blank after the offset. This is accepted in a dump that begins with six or more
  /// zeros.
  private func offset(_ line: Span<UInt8>, _ start: Int) -> Offset? {
    let hasMark = line.hasHexMark(at: start)
    let digits = hasMark ? start + 2 : start
    var end = line.skip(from: digits) { $0.isHexDigit }
    let count = end - digits
    guard (1...15).contains(count) else { return nil }
    let range = digits..<end
    let isZero = range.allSatisfy { line[$0] == UInt8(ascii: "0") }
    let hasColon = end < line.count && line[end] == UInt8(ascii: ":")
    if hasColon { end += 1 }
    let gap = line.skip(from: end) { $0.isBlank } - end
    let isLast = end + gap == line.count
    let isSingle = gap == 1 && line.isLonePair(at: end + 1) && (isDump || count >= 6 && isZero)
    guard hasColon ? gap > 0 || isLast : count >= 4 && (gap > 1 || isLast && isDump || isSingle) else {
      return nil
    }
    return Offset(
      digits: range, end: end, hasColon: hasColon, hasMark: hasMark, isLast: isLast, isZero: isZero)
  }

  /// The bases in which an offset continues the dump.
  private func numberings(of offset: Offset, _ line: Span<UInt8>) throws(Failure) -> [Numbering] {
    let text = line.text(offset.digits)
    guard isDump, !offset.isZero || offset.isLast else {
      return Self.bases(of: offset).compactMap { base in
        Int(text, radix: base).map { Numbering(base: base, next: $0) }
      }
    }
    let fitting = numberings.filter { Int(text, radix: $0.base) == $0.next }
    guard fitting.isEmpty, let likely = numberings.first else { return fitting }
    let value = Int(text, radix: likely.base).map { String($0, radix: likely.base) } ?? text
    let message =
      "offset \(value), expected \(String(likely.next, radix: likely.base)) (a line is missing, or the dump is not in hex bytes)"
    throw Failure(message: message, column: offset.digits.lowerBound)
  }

  /// `xxd` has eight digits and a colon, in hex or decimal; `od` seven digits, in octal or decimal, or six in hex.
  private static func bases(of offset: Offset) -> [Int] {
    if offset.hasMark { return [16] }
    if offset.hasColon { return [16, 10] }
    return offset.digits.count == 7 ? [8, 10, 16] : [16]
  }

  /// Why the bytes of a row are not the content of the dump; nil if they are.
  private func foreign(
    _ bytes: Span<UInt8>, _ row: Row, _ offset: Offset, _ line: Span<UInt8>
  ) -> HexForeign.Finding? {
    if !readsPackets, offset.hasMark, HexForeign.isPacket(bytes) { return HexForeign.packet }
    guard offset.hasColon, let text = row.text else { return nil }
    return HexForeign.order(of: bytes, row.groups, beside: line.extracting(text..<line.count))
  }

  private struct Row {
    /// The number of bytes of each group.
    var groups: [Int] = []
    /// The start of the text beside the groups.
    var text: Int?
  }

  /// Reads groups of whole bytes, one blank apart; a wider space or `|` begins the text column.
  ///
  /// Without a colon after the offset, a gap of exactly two blanks after eight bytes counts as the middle of
  /// the row.
  private func decodeDump(
    _ line: Span<UInt8>, from start: Int, hasColon: Bool, into bytes: inout [UInt8]
  ) throws(Failure) -> Row {
    var position = line.skip(from: start) { $0.isBlank }
    let first = bytes.count
    var row = Row()
    while position < line.count, line[position].isHexDigit {
      let end = line.skip(from: position) { $0.isHexDigit }
      try appendPairs(line, position..<end, to: &bytes)
      row.groups.append((end - position) / 2)
      position = line.skip(from: end) { $0.isBlank }
      let gap = position - end
      let isMiddle = !hasColon && gap == 2 && bytes.count - first == 8 && line.isLonePair(at: position)
      if gap > 1, !isMiddle {
        row.text = position
        return row
      }
    }
    if position < line.count, line[position] != UInt8(ascii: "|") {
      throw Failure(message: "not a hex digit", column: position)
    }
    return row
  }

  /// Reads pairs of digits with blanks, commas, colons, quotes, `0x` or `\x` between them.
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

  /// Whether `0x` or `\x` is at the index.
  fileprivate func hasHexMark(at index: Int) -> Bool {
    guard index + 1 < count, self[index + 1] | 32 == UInt8(ascii: "x") else { return false }
    return self[index] == UInt8(ascii: "0") || self[index] == UInt8(ascii: "\\")
  }

  /// Whether exactly two hex digits are at the index, followed by a blank or the end.
  fileprivate func isLonePair(at index: Int) -> Bool {
    let end = skip(from: index) { $0.isHexDigit }
    return end - index == 2 && (end == count || self[end].isBlank)
  }
}
