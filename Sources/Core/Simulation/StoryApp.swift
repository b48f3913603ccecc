import JSONLines

/// The form of the records in a device's app.
struct StoryApp: Equatable {
  /// Where a plain record has its entity, key and clock; nil for an app with change lines.
  struct Places: Equatable {
    var key = JSONPointer(name: "id")
    var clock = JSONPointer(name: "updatedAt")
    var tombstone: JSONPointer?
    /// The place of the entity; nil if each entity has a separate file.
    var entity: JSONPointer?
  }

  var places: Places?

  static let changeLines = StoryApp()

  static let plain = [
    StoryApp(places: Places()),
    StoryApp(places: Places(clock: JSONPointer(name: "at"))),
    StoryApp(
      places: Places(
        key: JSONPointer(tokens: ["meta", "id"]), clock: JSONPointer(tokens: ["meta", "changed"]),
        tombstone: JSONPointer(tokens: ["meta", "gone"]))),
    StoryApp(places: Places(entity: JSONPointer(name: "kind"))),
  ]

  /// The options for the store of such an app; options that equal the defaults are left out.
  var rules: StoryRules {
    var rules = StoryRules()
    guard let places else { return rules }
    let defaults = Places()
    if places.key != defaults.key { rules.key = places.key }
    if places.clock != defaults.clock { rules.clock = places.clock }
    (rules.tombstone, rules.entity) = (places.tombstone, places.entity)
    return rules
  }

  /// The entity to pass to a command; nil if the records name their entity.
  func named(_ entity: String) -> String? { places == nil || places?.entity != nil ? nil : entity }
}
