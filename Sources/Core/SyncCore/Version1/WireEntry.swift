/// One upsert or delete of a delta, and where it stands.
package struct WireEntry: Equatable, Sendable {
  package enum Kind: String, Sendable { case upsert, delete }

  package var kind: Kind
  /// Its place in its array.
  var index: Int
  package var raw: Range<Int>
}
