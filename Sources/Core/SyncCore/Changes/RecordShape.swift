package import JSONLines

/// Where a plain record keeps what a change line has as members of its own.
package struct RecordShape: Equatable, Sendable {
  /// The entity of records that do not name one.
  package var entityName = ""
  /// A record that does not name its entity is bad data, as there are several that it may be of.
  package var requiresEntity = false
  /// The members that make the identity; none means the member `id`.
  ///
  /// Kept in the order of their last tokens, which are the identity's member names.
  package var keys: [JSONPointer] = [] {
    didSet { keys = keys.inIdentityOrder }
  }
  package var clock: JSONPointer?
  package var tombstone: JSONPointer?
  package var entity: JSONPointer?
  /// What it says of an entity goes before the rest.
  package var profile = Profile()

  package init() {}

  /// Records that follow the built-in profile `chores`.
  package static let chores: RecordShape = {
    var shape = RecordShape()
    shape.profile = (try? Profile(parsing: Array(Profile.chores.utf8).span)) ?? Profile()
    return shape
  }()
}

extension [JSONPointer] {
  /// Sorted by the names that they give to the members of an identity.
  var inIdentityOrder: [JSONPointer] {
    sorted { ($0.tokens.last ?? "").utf8.lexicographicallyPrecedes(($1.tokens.last ?? "").utf8) }
  }

  /// Why these, in the order of an identity's members, make no key; `spell` writes one as its user has.
  package func keyDefect(_ spell: (JSONPointer) -> String) -> String? {
    for (a, b) in zip(self, dropFirst()) where a.endsLike(b) {
      return "'\(spell(a))' and '\(spell(b))' end in the same name"
    }
    let mark = MemberName.newTokenData.spelling.description.utf8
    return first { $0.tokens.first?.utf8.elementsEqual(mark) == true }
      .map { "'\(spell($0))' marks checkpoint lines and cannot be a key" }
  }
}
