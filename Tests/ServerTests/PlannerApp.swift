import Foundation
import Remotes
import SyncCore

/// The planner's app as observed: it pushes all its records, and decodes answers strictly.
final class PlannerApp {
  struct Member: Codable, Equatable {
    var id: UUID
    var displayName: String
    var emojiSymbol: String
    var accentColorHex: String
    var isSelf: Bool
    var createdAt: Date
    var updatedAt: Date
    var syncRevision: Int
  }

  struct Template: Codable, Equatable {
    var id: UUID
    var title: String
    var details: String?
    var cadenceUnitRaw: String
    var cadenceValue: Int
    var leadTimeHours: Int
    var isActive: Bool
    var createdAt: Date
    var updatedAt: Date
    var startDate: Date?
    var lastGeneratedDate: Date?
    var syncRevision: Int
  }

  struct Occurrence: Codable, Equatable {
    var id: UUID
    var templateID: UUID
    var dueDate: Date
    var statusRaw: String
    var assignedMemberID: UUID?
    var scheduledAt: Date
    var completedAt: Date?
    var notes: String?
    var syncRevision: Int
  }

  struct Completion: Codable, Equatable {
    var id: UUID
    var occurrenceID: UUID
    var memberID: UUID
    var timestamp: Date
    var notes: String?
    var syncRevision: Int
  }

  struct Push: Codable {
    var baseRevision: Int
    var members: [Member]
    var templates: [Template]
    var occurrences: [Occurrence]
    var completions: [Completion]
  }

  struct Answer: Codable {
    struct Refusal: Codable, Equatable {
      var pointer: String
      var code: String
    }
    var revision: Int
    var members: [Member]
    var templates: [Template]
    var occurrences: [Occurrence]
    var completions: [Completion]
    var refused: [Refusal]
    var complete: Bool
  }

  private(set) var revision = 0
  var members: [UUID: Member] = [:]
  var templates: [UUID: Template] = [:]
  var occurrences: [UUID: Occurrence] = [:]
  var completions: [UUID: Completion] = [:]

  /// Whether anything waits to be pushed.
  var isDirty: Bool {
    members.values.contains { $0.syncRevision == 0 } || templates.values.contains { $0.syncRevision == 0 }
      || occurrences.values.contains { $0.syncRevision == 0 }
      || completions.values.contains { $0.syncRevision == 0 }
  }

  /// The content that people see; it must be the same on every device.
  var contents: [String] {
    (templates.values.map { "\($0.id) \($0.title) \($0.isActive)" }
      + members.values.map { "\($0.id) \($0.displayName)" }
      + occurrences.values.filter { templates[$0.templateID] != nil }.map {
        "\($0.id) \($0.dueDate) \($0.statusRaw) \($0.assignedMemberID?.uuidString ?? "-") \($0.completedAt.map { "\($0)" } ?? "-")"
      } + completions.values.map { "\($0.id) \($0.occurrenceID) \($0.memberID)" }).sorted()
  }

  /// Pushes everything and stores the answer.
  @discardableResult
  func sync(_ transport: any ServerTransport) throws -> Answer {
    let push = Push(
      baseRevision: revision, members: Array(members.values), templates: Array(templates.values),
      occurrences: Array(occurrences.values), completions: Array(completions.values))
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return try take(transport.send("POST", "/sync", [], body: Array(encoder.encode(push))))
  }

  /// Only reads.
  func pull(_ transport: any ServerTransport) throws {
    _ = try take(transport.send("GET", "/sync?since=\(revision)", [], body: nil), isPull: true)
  }

  private func take(_ response: HTTPClient.Answer, isPull: Bool = false) throws -> Answer {
    guard response.status == 200 else {
      throw Refused(status: response.status, body: String(decoding: response.body, as: UTF8.self))
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let answer = try decoder.decode(Answer.self, from: Data(response.body))
    // Records that wait to be pushed are not overwritten by records that are only read.
    for member in answer.members where !isPull || members[member.id]?.syncRevision != 0 {
      members[member.id] = member
    }
    for template in answer.templates where !isPull || templates[template.id]?.syncRevision != 0 {
      templates[template.id] = template
    }
    for occurrence in answer.occurrences where !isPull || occurrences[occurrence.id]?.syncRevision != 0 {
      occurrences[occurrence.id] = occurrence
    }
    for completion in answer.completions { completions[completion.id] = completion }
    revision = answer.revision
    return answer
  }

  struct Refused: Error {
    let status: Int
    let body: String
  }
}
