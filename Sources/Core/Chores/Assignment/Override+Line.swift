package import JSONLines
package import SyncCore

extension Override {
  /// The change line that gives an occurrence to a member.
  ///
  /// There is one an occurrence, whose id it has, so that of two the later wins; it is later than the one there is or
  /// was.
  package static func line(
    of found: OccurrenceFinder.Found, for member: Member, now: Instant, in household: Household
  ) -> JSONValue {
    let old = household.clock(ofOverride: RecordID(found.id))
    let clock = old.map { max(now, $0.afterwards) } ?? now
    let id = JSONValue.string(found.id)
    return .object([
      JSONMember("entityName", .string(ChoreEntity.override.rawValue)),
      JSONMember("identity", .object([JSONMember("id", id)])), JSONMember("modifiedAt", .string("\(clock)")),
      JSONMember(
        "fields",
        .object([
          JSONMember("id", id), JSONMember("occurrenceID", id),
          JSONMember("templateID", found.template.record.spelledID), JSONMember("memberID", member.spelledID),
        ])),
    ])
  }
}
