package import JSONLines

/// The types that plain JSON cannot distinguish: which integer a number is, and whether a string is a date.
///
/// Each member of each entity has one type, the first one seen. A record in which the member has another type
/// is an exception, stored under the record's canonical key. Null, true and false are unambiguous and are not
/// stored.
package struct WireTypes: Equatable, Sendable {
  /// The types by decoded entity name.
  var entities: [[UInt8]: WireTypeTable] = [:]
  /// The types by canonical key.
  var exceptions: [[UInt8]: WireTypeTable] = [:]

  /// The known types; `keep` stores learned types, and `reread` returns the stored types if they changed.
  package typealias Memory = (
    known: WireTypes, keep: (WireTypes) throws -> Void, reread: () throws -> WireTypes?
  )

  package init() {}

  /// The types for one record.
  func scope(entity: [UInt8], key: [UInt8]) -> Scope {
    Scope(common: entities[entity], own: exceptions.isEmpty ? nil : exceptions[key])
  }

  struct Scope {
    var common: WireTypeTable?
    var own: WireTypeTable?

    /// The type of a member, if a type is known for a value of this JSON form: a number is not a date.
    func known(_ section: WireTypeTable.Section, _ name: [UInt8], _ form: WireTag.Form) -> WireTag? {
      guard form != .literal else { return nil }
      if let tag = own?.tag(section, name), tag.form == form { return tag }
      if let tag = common?.tag(section, name), tag.form == form { return tag }
      return nil
    }
  }

  /// The type of a member of a record's fields, if a type is known for a value of this JSON form.
  package func tag(ofField name: String, entity: String, key: [UInt8], _ value: JSONValue) -> WireTag? {
    let form: WireTag.Form? =
      switch value {
      case .string: .text
      case .number: .number
      default: nil
      }
    return form.flatMap { scope(entity: Array(entity.utf8), key: key).known(.fields, Array(name.utf8), $0) }
  }

  // MARK: Learning

  /// Adds the types of one record of a delta.
  package mutating func learn(_ record: WireRecord, of text: Span<UInt8>) {
    let entity = text.decoded(record.entityName)
    let key = record.key(text)
    learn(record.identity, .identity, entity, key, text)
    for field in record.fields { learn(field, .fields, entity, key, text) }
  }

  private mutating func learn(
    _ field: WireRecord.Field, _ section: WireTypeTable.Section, _ entity: [UInt8], _ key: [UInt8],
    _ text: Span<UInt8>
  ) {
    let tag = field.value.tag
    guard tag.form != .literal, let fallback = WireTag(default: text, field.value.raw) else { return }
    let name = text.decoded(field.name)
    guard let common = entities[entity]?.tag(section, name) else {
      return entities[entity, default: WireTypeTable()].set(tag, section, name)
    }
    if tag == (common.form == tag.form ? common : fallback) {
      forget(section, name, key, tag.form)
    } else {
      exceptions[key, default: WireTypeTable()].set(tag, section, name)
    }
  }

  private mutating func forget(
    _ section: WireTypeTable.Section, _ name: [UInt8], _ key: [UInt8], _ form: WireTag.Form
  ) {
    guard !exceptions.isEmpty, exceptions[key]?.tag(section, name)?.form == form else { return }
    exceptions[key]?.set(nil, section, name)
    if exceptions[key]?.isEmpty == true { exceptions[key] = nil }
  }

  /// Adds the types of `other` that are unknown here, except those in `old`, which were forgotten here.
  package mutating func addMissing(of other: WireTypes, since old: WireTypes) {
    Self.addMissing(of: other.entities, to: &entities, since: old.entities)
    Self.addMissing(of: other.exceptions, to: &exceptions, since: old.exceptions)
  }

  private static func addMissing(
    of other: [[UInt8]: WireTypeTable], to own: inout [[UInt8]: WireTypeTable],
    since old: [[UInt8]: WireTypeTable]
  ) {
    for (key, table) in other {
      for section in WireTypeTable.Section.allCases {
        for (name, tag) in table[section]
        where own[key]?.tag(section, name) == nil && old[key]?.tag(section, name) != tag {
          own[key, default: WireTypeTable()].set(tag, section, name)
        }
      }
    }
  }

  /// Throws if a value would be packed again with a different type.
  ///
  /// Two entries of one delta can cause this if they look the same in plain JSON but have different types.
  package func check(_ record: WireRecord, of text: Span<UInt8>) throws(WireFailure) {
    let scope = scope(entity: text.decoded(record.entityName), key: record.key(text))
    do throws(WireError) {
      try scope.check(record.identity, .identity, text)
    } catch {
      throw WireFailure(error, at: ["identity", "value"])
    }
    for field in record.fields {
      do throws(WireError) {
        try scope.check(field, .fields, text)
      } catch {
        throw WireFailure(error, at: ["fields", JSONString.decoded(text, field.name)])
      }
    }
  }
}

extension WireTypes.Scope {
  fileprivate func check(
    _ field: WireRecord.Field, _ section: WireTypeTable.Section, _ text: Span<UInt8>
  ) throws(WireError) {
    let tag = field.value.tag
    guard tag.form != .literal, let fallback = WireTag(default: text, field.value.raw) else { return }
    let known = known(section, text.decoded(field.name), tag.form) ?? fallback
    if known != tag { throw .conflictingTypes(tag, known) }
  }
}

extension Span<UInt8> {
  /// The decoded bytes of a raw string without its quotes.
  func decoded(_ raw: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONString.appendDecoded(self, raw, to: &bytes)
    return bytes
  }
}

/// The types of the members of one entity, or of one record.
struct WireTypeTable: Equatable, Sendable {
  enum Section: String, CaseIterable, Sendable { case identity, fields }

  private(set) var identity: [[UInt8]: WireTag] = [:]
  private(set) var fields: [[UInt8]: WireTag] = [:]

  var isEmpty: Bool { identity.isEmpty && fields.isEmpty }

  subscript(section: Section) -> [[UInt8]: WireTag] { section == .identity ? identity : fields }

  /// The type of the member with this decoded name.
  func tag(_ section: Section, _ name: [UInt8]) -> WireTag? {
    section == .identity ? identity[name] : fields[name]
  }

  /// Sets the type of a member; nil removes it.
  mutating func set(_ tag: WireTag?, _ section: Section, _ name: [UInt8]) {
    if section == .identity { identity[name] = tag } else { fields[name] = tag }
  }
}
