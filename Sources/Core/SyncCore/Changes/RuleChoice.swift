import JSONLines

/// The command-line options for reading and merging lines.
package struct RuleChoice: Equatable, Sendable {
  package var shape: RecordShape
  /// Whether a profile was given, even an empty one.
  package var hasProfile: Bool
  /// The entity of the records without an entity name that this command reads; nil if not given.
  package var entityName: String?

  package init(_ shape: RecordShape, hasProfile: Bool, entityName: String?) {
    (self.shape, self.hasProfile, self.entityName) = (shape, hasProfile, entityName)
  }

  /// Whether all options that a store remembers are missing.
  package var isEmpty: Bool { self == RuleChoice(RecordShape(), hasProfile: false, entityName: nil) }

  /// An option that contradicts the rules of a store.
  package struct Difference: Equatable, Sendable {
    package var option: String
    /// The given value in the option's spelling.
    package var given: String
    package var stored: String?
  }

  /// The first option that differs from `rules`; an option that was not given does not differ.
  ///
  /// `--entity-name` never differs, because the files of a store may belong to several entities.
  package func difference(from rules: RecordShape) -> Difference? {
    let (given, stored) = (shape.inStandardForm, rules.inStandardForm)
    if hasProfile, given.profile != stored.profile {
      return Difference(option: "--profile", given: given.profile.shown, stored: stored.profile.shown)
    }
    if !shape.keys.isEmpty, given.keys != stored.keys {
      let spelled = { (keys: [JSONPointer]) in keys.isEmpty ? "/id" : keys.map(\.text).joined(separator: " ")
      }
      return Difference(option: "--key", given: spelled(given.keys), stored: spelled(stored.keys))
    }
    for (option, given, stored) in [
      ("--clock", given.clock, stored.clock), ("--tombstone", given.tombstone, stored.tombstone),
      ("--entity", given.entity, stored.entity),
    ] where given != nil && given != stored {
      return Difference(option: option, given: given?.text ?? "", stored: stored?.text)
    }
    return nil
  }

  /// The given rules, overridden by these options.
  package func shape(replacing rules: RecordShape) -> RecordShape {
    var shape = rules.inStandardForm
    let given = self.shape.inStandardForm
    if hasProfile { shape.profile = given.profile }
    if !self.shape.keys.isEmpty { shape.keys = given.keys }
    shape.clock = given.clock ?? shape.clock
    shape.tombstone = given.tombstone ?? shape.tombstone
    shape.entity = given.entity ?? shape.entity
    shape.entityName = entityName ?? shape.entityName
    return shape
  }

  /// The shape in which this command reads lines, for a store that has these rules and records of these
  /// entities.
  ///
  /// A record that does not name its entity belongs to the given entity, otherwise to the store's only
  /// entity.
  package func shape(under rules: RecordShape, entities: [String]) -> RecordShape {
    var shape = rules
    var known = Set(entities)
    if !rules.entityName.isEmpty { known.insert(rules.entityName) }
    if let entityName {
      shape.entityName = entityName
    } else if known.count == 1, let only = known.first {
      shape.entityName = only
    } else {
      shape.requiresEntity = known.count > 1
    }
    return shape
  }
}

extension Profile {
  /// The beginning of the profile in canonical form, for people.
  fileprivate var shown: String {
    var shape = RecordShape()
    shape.profile = self
    return String(decoding: shape.rules, as: UTF8.self).shown(upTo: 160)
  }
}
