package import JSONLines
package import SyncCore

/// The state: all records of a household, indexed by their references.
package struct Household: Sendable {
  package private(set) var text: [UInt8] = []
  /// The members, sorted by id after `arrange()`.
  package private(set) var members: [Member] = []
  /// The templates, sorted by id after `arrange()`.
  package private(set) var templates: [Stored<Template>] = []
  package private(set) var occurrences: [RecordID: [Stored<Occurrence>]] = [:]
  /// The clocks of occurrences that have been deleted.
  private(set) var deletedOccurrences: [RecordID: Instant] = [:]
  /// The latest clock among members, absences and overrides, including deleted and archived ones.
  private(set) var commonClock: Instant?
  private var latestMembers = Latest<Member>()
  private var latestTemplates = Latest<Template>()
  private var latestOverrides = Latest<Override>()
  private var latestAbsences = Latest<Absence>()
  private var indices: [RecordID: Int] = [:]
  /// The zones of members and of templates, by name.
  private var zones: [String: Zone] = [:]
  private var completions: [RecordID: Done] = [:]
  /// The latest override of each occurrence.
  private var overrides: [RecordID: Stored<Override>] = [:]
  /// The absences of each member.
  private var absences: [RecordID: [Absence]] = [:]
  private var summaries: [RecordID: Stored<TurnSummary>] = [:]
  /// The latest clock of archived overrides, by template.
  private var archivedOverrides: [RecordID: Instant] = [:]

  /// The member who completed an occurrence: the author of its first completion.
  struct Done: Sendable {
    var first: Completion
    /// The latest clock of all completions.
    var clock: Instant?
    /// The lines of all completions, each with its member.
    var lines: [(member: RecordID, line: Range<Int>)] = []

    mutating func add(_ completion: Completion, _ clock: Instant?, _ line: Range<Int>) {
      if (completion.time, completion.id) < (first.time, first.id) { first = completion }
      self.clock = .later(self.clock, clock)
      lines.append((completion.member, line))
    }
  }

  package init() {}

  /// Appends a line to the text; pass its place to `add`.
  package mutating func append(_ line: Span<UInt8>) -> Range<Int> {
    let start = text.count
    text.append(line)
    return start..<text.count
  }

  /// Adds a record that won the merge of its key.
  ///
  /// Call it in key order; otherwise the result for an id with two spellings depends on the order of the
  /// lines.
  package mutating func add(
    _ record: ChoreRecord, clock: Instant?, line: Range<Int>, zones lookup: (String) -> Zone?
  ) throws(MemberError) {
    switch record {
    case .member(let member):
      try find(member.zoneName, lookup)
      commonClock = .later(commonClock, clock)
      latestMembers.add(Stored(record: member, clock: clock, line: line), as: member.id, clock)
    case .template(let template):
      try find(template.zoneName, lookup)
      latestTemplates.add(Stored(record: template, clock: clock, line: line), as: template.id, clock)
    case .occurrence(let occurrence):
      occurrences[occurrence.template, default: []].append(
        Stored(record: occurrence, clock: clock, line: line))
    case .completion(let completion):
      completions[completion.occurrence, default: Done(first: completion)].add(completion, clock, line)
    case .override(let override):
      commonClock = .later(commonClock, clock)
      latestOverrides.add(Stored(record: override, clock: clock, line: line), as: override.id, clock)
    case .absence(let absence):
      commonClock = .later(commonClock, clock)
      latestAbsences.add(Stored(record: absence, clock: clock, line: line), as: absence.id, clock)
    case .summary(let summary):
      commonClock = .later(commonClock, summary.overridesClock)
      archivedOverrides[summary.template] = .later(
        archivedOverrides[summary.template], summary.overridesClock)
      if let other = summaries[summary.template], other.record.before >= summary.before { return }
      summaries[summary.template] = Stored(record: summary, clock: clock, line: line)
    case .tombstone(let entity, let id): addTombstone(entity, id, clock, line)
    }
  }

  private mutating func find(_ name: String?, _ lookup: (String) -> Zone?) throws(MemberError) {
    guard let name, zones[name] == nil else { return }
    guard let zone = lookup(name) else {
      throw MemberError(.other("unknown time zone '\(name)'", .unknownZone))
    }
    zones[name] = zone
  }

  private mutating func addTombstone(
    _ entity: ChoreEntity, _ id: RecordID, _ clock: Instant?, _ line: Range<Int>
  ) {
    switch entity {
    case .member:
      commonClock = .later(commonClock, clock)
      latestMembers.add(nil, as: id, clock)
    case .override:
      commonClock = .later(commonClock, clock)
      latestOverrides.add(nil, as: id, clock)
    case .absence:
      commonClock = .later(commonClock, clock)
      latestAbsences.add(nil, as: id, clock)
    case .template:
      let template = Template(id: id, spelling: [], isActive: false)
      latestTemplates.add(Stored(record: template, clock: clock, line: line), as: id, clock)
    case .occurrence: deletedOccurrences[id] = .later(deletedOccurrences[id], clock)
    case .completion, .summary: break
    }
  }

  /// Sorts the members and templates, and indexes the overrides and absences.
  ///
  /// Call it when all records have been added.
  package mutating func arrange() {
    members = latestMembers.live.map(\.record)
    templates = latestTemplates.live
    indices = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.id, $0) })
    for override in latestOverrides.live {
      let id = override.record.occurrence
      if let old = overrides[id], .later(old.clock, override.clock) == old.clock { continue }
      overrides[id] = override
    }
    absences = Dictionary(grouping: latestAbsences.live.map(\.record), by: \.member)
  }
}

// MARK: References

extension Household {
  /// The place of a member among `members`.
  package func index(of member: RecordID?) -> Int? { member.flatMap { indices[$0] } }

  package func zone(of template: Template) -> Zone { template.zoneName.flatMap { zones[$0] } ?? .utc }

  /// The time zone of a member; nil if unknown.
  package func zone(of member: Member) -> Zone? { member.zoneName.flatMap { zones[$0] } }

  package func template(_ id: RecordID) -> Stored<Template>? { latestTemplates[id] }

  package func summary(of template: RecordID) -> Stored<TurnSummary>? { summaries[template] }

  func done(_ occurrence: RecordID) -> Done? { completions[occurrence] }

  /// The lines of a member's completions of an occurrence.
  func completions(of occurrence: RecordID, by member: RecordID) -> [Range<Int>] {
    done(occurrence)?.lines.filter { $0.member == member }.map(\.line) ?? []
  }

  /// The text without these lines.
  func text(without lines: [Range<Int>]) -> [UInt8] {
    var rest: [UInt8] = []
    var end = 0
    for line in lines.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      rest += text[end..<line.lowerBound]
      end = line.upperBound
    }
    return rest + text[end...]
  }

  var hasCompletions: Bool { !completions.isEmpty }

  /// The clock of the override with this id, even if it was deleted.
  func clock(ofOverride id: RecordID) -> Instant? { latestOverrides.clock(of: id) }

  /// The latest clock of the overrides that the summaries of a template replace.
  func archivedOverrides(of template: RecordID) -> Instant? { archivedOverrides[template] }

  /// The latest clock of the overrides of an occurrence.
  func overridesClock(of occurrence: RecordID) -> Instant? { overrides[occurrence]?.clock }

  var hasOverrides: Bool { !overrides.isEmpty }

  /// The member that the latest override of any of these occurrences names, if that member exists.
  func override(ofAny occurrences: [RecordID]) -> Int? {
    index(of: latestOverride(ofAny: occurrences)?.member)
  }

  /// The latest override of these occurrences that names an existing member.
  func latestOverride(ofAny occurrences: [RecordID]) -> Override? {
    var latest: Stored<Override>?
    for case let override? in occurrences.map({ overrides[$0] })
    where index(of: override.record.member) != nil {
      if let latest, .later(latest.clock, override.clock) == latest.clock { continue }
      latest = override
    }
    return latest?.record
  }

  var absenceCount: Int { absences.values.reduce(0) { $0 + $1.count } }

  func absences(of member: RecordID, from template: RecordID) -> [ClosedRange<Int>] {
    (absences[member] ?? []).filter { $0.template == nil || $0.template == template }.map(\.days)
  }

  /// The occurrences of missing templates, by template id.
  package var orphans: [RecordID] {
    Array(Set(occurrences.keys).subtracting(templates.map(\.record.id)))
  }
}

extension Instant? {
  /// The later of two clocks; nil is before any instant.
  static func later(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return Swift.max(a, b)
  }
}
