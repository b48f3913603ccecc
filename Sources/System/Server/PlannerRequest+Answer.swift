import Chores
import JSONLines
import ServerProtocol
import Store
import SyncCore

/// The answer of the planner.
extension PlannerRequest {
  /// The maximum number of refusals that are listed individually.
  private static let mostRefused = 100

  /// The changes after a revision, and the outcomes of the records with some keys.
  func answer(
    _ store: ChangeStore, since: Int64, with keys: [[UInt8]] = [], _ refused: [Refusal] = []
  ) throws -> HTTPResponse {
    var lists: [PlannerKind: [JSONValue]] = [:]
    var (deletions, told): ([JSONValue], Set<[UInt8]>) = ([], [])
    let hidesDeletions = preferences.contains("deletions")
    // A client that already has records needs the deletions, even if its revision is unknown.
    let tellsDeletions = since > 0
    /// Adds a line to the answer; returns false for a deletion that is left out.
    func tell(_ line: Span<UInt8>, _ revision: Int64, withDeletions: Bool) -> Bool {
      guard let line = PlannerLine(line) else { return true }
      if line.isDeleted {
        guard withDeletions else { return false }
        deletions.append(line.deletion)
        if hidesDeletions { return true }
      }
      if let record = line.told(revision: revision, member: member) {
        lists[line.kind, default: []].append(record)
      }
      return true
    }
    let (revision, isComplete) = try store.read {
      var (start, isComplete): (Int64, Bool) = (0, true)
      if case .after(let sequence) = try store.standing(ofRevision: since) {
        (start, isComplete) = (sequence, false)
      }
      try store.forEachLine(after: start) { key, line, revision in
        if tell(line, revision, withDeletions: tellsDeletions), !keys.isEmpty {
          var bytes: [UInt8] = []
          bytes.append(key)
          told.insert(bytes)
        }
      }
      for key in keys where told.insert(key).inserted {
        if let (line, revision) = try store.revisedLine(of: key.span) {
          _ = tell(line.span, revision, withDeletions: true)
        }
      }
      return (try store.revision(), isComplete)
    }
    var members = [JSONMember("revision", .integer(revision))]
    for kind in PlannerKind.allCases { members.append(JSONMember(kind.list, .array(lists[kind] ?? []))) }
    members += [
      JSONMember("deletions", .array(deletions)),
      JSONMember("refused", .array(refused.prefix(Self.mostRefused).map(\.json))),
      JSONMember("refusedCount", .integer(refused.count)),
      JSONMember("complete", .bool(isComplete)),
    ]
    var response = HTTPResponse.json(200, .object(members))
    let applied = ["handling=strict", "deletions"].filter { preferences.contains($0) }
    if !applied.isEmpty {
      response.fields.append(.init("Preference-Applied", applied.joined(separator: ", ")))
    }
    return response
  }
}
