import JSONLines

/// The line of a new occurrence, of which all is made once but ids, dates and the member.
struct OccurrenceMold {
  private let opening = Array("{\"entityName\":\"Occurrence\",\"identity\":{\"id\":\"".utf8)
  private let clock: [UInt8]
  private let template: [UInt8]
  /// What stands between the due date and when it was planned, for each member; last of all for nobody.
  private let members: [[UInt8]]
  private let closing = Array("\"}}\n".utf8)

  init(_ template: Template, clock: Instant, in household: Household) {
    self.clock = Array("\"},\"modifiedAt\":\"\(clock)\",\"fields\":{\"id\":\"".utf8)
    self.template = Array("\",\"templateID\":".utf8) + template.spelling + Array(",\"dueDate\":\"".utf8)
    let status = Array("\",\"statusRaw\":\"pending\"".utf8)
    let scheduled = Array(",\"scheduledAt\":\"".utf8)
    let assigned = Array(",\"assignedMemberID\":".utf8)
    members = household.members.map { status + assigned + $0.spelling + scheduled } + [status + scheduled]
  }

  @inline(__always)
  func append(_ id: UUIDValue, due: Int, member: Int?, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: opening)
    id.append(to: &bytes)
    bytes.append(contentsOf: clock)
    id.append(to: &bytes)
    bytes.append(contentsOf: template)
    CivilText.append(seconds: due, to: &bytes)
    bytes.append(contentsOf: members[member ?? members.count - 1])
    CivilText.append(seconds: due, to: &bytes)
    bytes.append(contentsOf: closing)
  }
}
