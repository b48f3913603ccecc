/// Ids of peers are UUIDs, and those may be written with letters of either case (RFC 9562).
package enum PeerID {
  package static func areSame(_ one: String, _ other: String) -> Bool {
    one == other || one.lowercased() == other.lowercased()
  }
}
