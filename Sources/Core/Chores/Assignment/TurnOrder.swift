import SyncCore

/// Those who take part in a template, in the order in which ties are broken and turns go round.
package struct TurnOrder: Sendable {
  /// Places among the household's members.
  package let members: [Int]
  /// Those named by the template, in its own order; all, where it names none.
  package let listed: [Int]

  init(_ template: Template, in household: Household) {
    let all = template.participants.map { ids in ids.compactMap { household.index(of: $0) } }
    var seen: Set<Int> = []
    let listed = (all ?? Array(household.members.indices)).filter { seen.insert($0).inserted }
    let sorted = listed.sorted()
    let start = sorted.isEmpty ? 0 : Int(Self.number(of: template.id) % UInt64(sorted.count))
    members = Array(sorted[start...] + sorted[..<start])
    self.listed = template.participants == nil ? members : listed
  }

  /// The first eight bytes of the digest of the id.
  private static func number(of id: RecordID) -> UInt64 {
    SHA1.digest(id.lowerCase).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
