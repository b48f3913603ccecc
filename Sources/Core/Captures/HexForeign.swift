/// Text that looks like hex but is something else, or surrounds hex.
enum HexForeign {
  /// The kind of the text, and how to produce text that can be read.
  typealias Finding = (message: String, hint: String)

  static let packet: Finding = (
    "a whole packet instead of its payload",
    "copy only the payload of tcpdump's packet, for example with Wireshark's 'as a Hex Stream'"
  )
  static let secondPacket: Finding = ("more than one packet", "give one packet at a time")
  static let words: Finding = (
    "words or bytes in the default form of hexdump or od", "use xxd, hexdump -C or od -tx1"
  )

  // MARK: Lines

  /// Whether a line is one that `xxd -i` writes before or after the bytes.
  static func isDeclaration(_ text: String) -> Bool {
    let text = text.trimmed
    return text == "};" || text.hasPrefix("unsigned char ") && text.hasSuffix("{")
      || text.hasPrefix("unsigned int ") && text.hasSuffix(";")
  }

  /// Whether a line is the one that `tcpdump` prints for a packet: with its time, protocol or addresses.
  static func isSummary(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    let clock = words.prefix(2).contains { word in
      let parts = word.split(separator: ":")
      return parts.count == 3 && parts[2].contains(".") && word.utf8.allSatisfy { $0 &- 46 < 13 }
    }
    return clock || ["IP", "IP6", "ARP,"].contains(words.first) || words.contains(">")
  }

  /// Whether words follow an offset of seven digits, as in the default form of `hexdump` and `od`.
  static func hasWords(_ text: String) -> Bool {
    let words = text.trimmed.split(separator: " ")
    return words.count > 1 && words[0].utf8.count == 7 && words[0].allSatisfy { $0.isHexDigit }
  }

  // MARK: Bytes

  /// Why the bytes of a row differ from the text beside it; nil if they agree.
  static func order(of row: Span<UInt8>, _ groups: [Int], beside text: Span<UInt8>) -> Finding? {
    if text.count * 4 == row.count, row.indices.allSatisfy({ row[$0] & 0xEE == 0 }) {
      return ("bits in the form of xxd -b", "use xxd without -b")
    }
    guard text.count >= row.count, !isShown(row.indices.map { row[$0] }, by: text) else { return nil }
    var swapped: [UInt8] = []
    var start = 0
    for count in groups {
      swapped += (start..<start + count).reversed().map { row[$0] }
      start += count
    }
    return isShown(swapped, by: text)
      ? ("groups in the byte order of xxd -e", "use xxd without -e") : nil
  }

  private static func isShown(_ bytes: [UInt8], by text: Span<UInt8>) -> Bool {
    bytes.indices.allSatisfy { !(0x21...0x7E).contains(bytes[$0]) || text[$0] == bytes[$0] }
  }

  /// Whether a row begins with a header of IP or Ethernet.
  ///
  /// A frame does not: the control characters of these headers cannot follow the first byte of a frame.
  static func isPacket(_ row: Span<UInt8>) -> Bool {
    guard row.count == 16 else { return false }
    let type = Int(row[12]) << 8 | Int(row[13])
    return type == 0x0800 && row[14] >> 4 == 4 || type == 0x86DD && row[14] >> 4 == 6
      || row[0] >> 4 == 4 && row[0] & 15 >= 5 && [6, 17].contains(row[9])
      || row[0] >> 4 == 6 && [6, 17].contains(row[6])
  }
}

extension String {
  fileprivate var trimmed: Substring {
    var text = self[...]
    while let last = text.utf8.last, [9, 13, 32].contains(last) { text.removeLast() }
    return text
  }
}
