/// The types of the members of one entity, or of one record.
struct WireTypeTable: Equatable, Sendable {
  enum Section: String, CaseIterable, Sendable { case identity, fields }

  private(set) var identity: [[UInt8]: WireTag] = [:]
  private(set) var fields: [[UInt8]: WireTag] = [:]

  var isEmpty: Bool { identity.isEmpty && fields.isEmpty }

  subscript(section: Section) -> [[UInt8]: WireTag] { section == .identity ? identity : fields }

  /// The type of the member of this decoded name.
  func tag(_ section: Section, _ name: [UInt8]) -> WireTag? {
    section == .identity ? identity[name] : fields[name]
  }

  /// Nil takes the member out.
  mutating func set(_ tag: WireTag?, _ section: Section, _ name: [UInt8]) {
    if section == .identity { identity[name] = tag } else { fields[name] = tag }
  }
}
