/// The time zones of the system: the files that tzset(3) reads.
package enum ZoneDatabase {
  /// The folder of the zone files: `TZDIR`, else where systems have it.
  package static var folder: String { Environment.value("TZDIR") ?? "/usr/share/zoneinfo" }

  /// The file of a zone such as `Europe/Paris`; nil where there is none.
  ///
  /// A name never leads out of the folder.
  package static func file(of name: String) -> [UInt8]? {
    let letters = Array(name.utf8)
    let isName =
      !letters.isEmpty && letters.count < 256
      && letters.allSatisfy { ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 || Array("_+-/".utf8).contains($0) }
    guard isName, letters[0] != UInt8(ascii: "/") else { return nil }
    return try? ByteInput.contents(of: "\(folder)/\(name)")
  }
}
