package import JSONLines
package import SyncCore

/// The options for a device's store, as for `synclog init`.
package struct StoryRules: Equatable, Sendable {
  package enum Profile: String, CaseIterable, Sendable {
    /// Last write wins everywhere.
    case none
    /// The built-in profile.
    case chores
  }

  package var profile = Profile.chores
  package var key: JSONPointer?
  package var clock: JSONPointer?
  package var tombstone: JSONPointer?
  package var entity: JSONPointer?

  package init() {}

  package var choice: RuleChoice {
    var shape = RecordShape()
    shape.keys = key.map { [$0] } ?? []
    (shape.clock, shape.tombstone, shape.entity) = (clock, tombstone, entity)
    shape.profile = profile.choice.shape.profile
    return RuleChoice(shape, hasProfile: true, entityName: nil)
  }

  /// The shape for reading records without an entity.
  func shape(of entity: String?) -> RecordShape {
    var shape = choice.shape
    shape.entityName = entity ?? ""
    return shape
  }
}

extension StoryRules.Profile {
  /// The choice for the option `--profile` alone.
  package var choice: RuleChoice {
    RuleChoice(self == .chores ? .chores : RecordShape(), hasProfile: true, entityName: nil)
  }
}
