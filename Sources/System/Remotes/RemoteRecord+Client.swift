import JSONLines
import SystemIO

extension RemoteRecord {
  /// How the server of this remote is asked; its key is read now.
  package func client(patience: Duration) throws -> HTTPClient.Settings {
    let path = keyFile ?? ""
    if let looseness = try FileMode.looseness(ofSecret: path) {
      throw Diagnostic(.looseSecretFile, looseness.problem, file: path, hint: looseness.remedy)
    }
    let text = try ByteInput.contents(of: path)
    let key = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    // What goes into a header has no other signs.
    guard key.count == 1, key[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Diagnostic(
        .damagedRecord, "not the key of a server: one line, as 'syncserve key create' prints it", file: path)
    }
    var settings = HTTPClient.Settings(url: url, key: String(key[0]))
    (settings.authorities, settings.patience) = (authorities, patience)
    return settings
  }
}
