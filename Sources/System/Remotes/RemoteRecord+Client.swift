import JSONLines
package import SyncCore
import SystemIO

extension RemoteRecord {
  /// Reads the key, and returns the settings for requests to this remote's server.
  package func client(patience: Duration) throws -> HTTPClient.Settings {
    let path = keyFile ?? ""
    if let looseness = try FileMode.looseness(ofSecret: path) {
      throw Diagnostic(.looseSecretFile, looseness.problem, file: path, hint: looseness.remedy)
    }
    let text = try ByteInput.contents(of: path)
    let key = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    // A header cannot contain other characters.
    guard key.count == 1, key[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let opened = Self.household(of: key[0])
    else {
      throw Diagnostic(
        .damagedRecord, "not the key of a server: one line, as 'syncserve key create' prints it", file: path,
        hint: "copy the key of this device again, or make a new one on the server: syncserve key create")
    }
    // Refuse another household: the store would mix the records of the two.
    if let household, opened != household {
      throw Diagnostic(
        .refusedByPeer,
        "the key opens the household '\(opened.escapingControls)', "
          + "but this remote is '\(household.escapingControls)'",
        file: path,
        hint: "to use another household, run peersync remote remove, and add the remote to a new store")
    }
    var settings = HTTPClient.Settings(url: url, key: String(key[0]))
    (settings.authorities, settings.keyFile, settings.patience) = (authorities, path, patience)
    return settings
  }

  /// Reads the key, and returns the client for this remote's collection.
  package func firestore(
    _ path: CollectionPath, patience: Duration, now: @escaping () -> Instant
  ) throws -> FirestoreClient {
    try FirestoreClient(
      path, keyFile: keyFile, emulator: try FirestoreClient.emulator(Environment.value), patience: patience,
      now: now)
  }

  /// The name of the household in a key; nil for a text without the form of a key.
  private static func household(of key: Substring) -> String? {
    let parts = key.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { !$0.isEmpty } ? String(parts[1]) : nil
  }

  /// The household that the key in `keyFile` opens.
  package func openedHousehold() throws -> String? {
    Self.household(of: Substring(try client(patience: .zero).key))
  }
}
