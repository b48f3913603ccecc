import Captures
import SyncCore

/// Text of hex gives bytes or an error with its place, and the bytes read the same in every form of a dump.
func fuzzHex(_ bytes: [UInt8]) {
  guard let decoded = decode(bytes) else { return }
  require(decode(Array(plain(decoded).utf8)) == decoded, "a plain stream")
  require(decode(Array(dump(decoded).utf8)) == decoded, "a dump")
}

/// The bytes of all lines; nil if one of them is not hex.
private func decode(_ text: [UInt8]) -> [UInt8]? {
  var reader = HexText()
  var bytes: [UInt8] = []
  for line in text.split(separator: 10, omittingEmptySubsequences: false) {
    let line = Array(line)
    do throws(HexText.Failure) {
      try reader.decode(line.span, into: &bytes)
    } catch {
      require((0...line.count).contains(error.column), "the place of an error is in the line")
      require(!error.message.isEmpty, "an error has a message")
      return nil
    }
  }
  return bytes
}

/// Rows of digits that cannot be taken for an offset.
private func plain(_ bytes: [UInt8]) -> String {
  bytes.enumerated().map { ($0.offset % 16 == 0 ? "\n" : " ") + digits($0.element) }.joined()
}

/// As `xxd` writes it.
private func dump(_ bytes: [UInt8]) -> String {
  stride(from: 0, to: bytes.count, by: 16).map { start in
    let offset = String(start, radix: 16)
    let row = bytes[start...].prefix(16)
    let text = row.map { (32..<127).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
    return String(repeating: "0", count: 8 - offset.count) + offset + ": "
      + row.map(digits).joined(separator: " ")
      + "  \(text)\n"
  }.joined()
}

private func digits(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
