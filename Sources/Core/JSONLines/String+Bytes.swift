// Texts as bytes.
//
// A Character includes the marks after it, and letters of some scripts join the character after them. So a
// search for the Character `'` or `/` does not find every such byte. Quoting, paths and protocols are about
// bytes.
extension StringProtocol {
  /// The parts between the bytes of an ASCII character; parts can be empty.
  package func parts(at separator: Unicode.Scalar) -> [String] {
    utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the last bytes are those of another text.
  package func endsInBytes(of end: String) -> Bool {
    utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
  }
}
