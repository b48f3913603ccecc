/// The keys of the TXT record of a device.
extension TextRecord {
  /// The version of the peer protocol.
  static let version = "pv"
  /// The id of a device that accepts links.
  static let id = "id"
  /// The key, without a value, of a device that accepts only pairing.
  package static let pairing = "pairing"

  /// The record of a device; without an id it waits to be paired.
  ///
  /// In version 1 the record is empty, because the first apps use only the name.
  init(ofPeer id: String?, version: Int) {
    self.init()
    if version > 1 {
      _ = add("\(Self.version)=\(version)")
      _ = add(id.map { "\(Self.id)=\($0)" } ?? Self.pairing)
    }
  }
}
