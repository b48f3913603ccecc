import Store
import Synchronization
import SystemIO

/// Answers kept for clients with the same request, until the store is written to.
///
/// Clients repeat the same request between changes. A change wakes all waiting requests of a household, and
/// most of them have read up to the same place.
final class KnownAnswers: Sendable {
  typealias Answer = (response: HTTPResponse, waitsAfter: Int64?)

  /// A version of a store, and the connection that has read it.
  ///
  /// Numbers of different connections cannot be compared: each connection begins with the same one.
  struct Version: Equatable {
    fileprivate var connection: Int
    /// A number that changes with each commit over other connections.
    fileprivate var number: Int64
  }

  private struct Household {
    let identity: FileStamp.Identity
    /// The number of this connection among all that were made.
    let connection: Int
    /// A connection that detects writes over other connections, including those of the workers.
    let database: Database
    var version: Version?
    /// The clients known to the store; answers depend on whether a client is known.
    var known: Set<String> = []
    var answers: [[String]: Answer] = [:]
    /// The size of its answers, in bytes.
    var size = 0
  }

  private struct State {
    var households: [String: Household] = [:]
    /// The number of connections that were made.
    var connections = 0
  }

  private let places: HouseholdPlaces
  private let state = Mutex(State())
  private static let mostHouseholds = 64
  private static let mostBytes = 16 << 20

  init(in places: HouseholdPlaces) { self.places = places }

  /// The kept answer to a request; nil if the request has not been answered since the last change.
  func find(_ request: ChangesRequest, in household: String) -> Answer? {
    guard let question = request.question else { return nil }
    return state.withLock { state in
      guard let version = version(of: household, &state), let present = state.households[household],
        present.version == version, !present.known.contains(request.peer)
      else { return nil }
      return present.answers[question]
    }
  }

  /// The store's answer, kept if other clients would get the same answer.
  func answer(
    _ request: ChangesRequest, from household: OpenHousehold, _ rules: HouseholdRules
  ) throws -> Answer {
    if let answer = find(request, in: household.name) { return answer }
    guard let question = request.question,
      // Read the version before the store, so that a later change makes the answer outdated.
      let version = version(of: household.name)
    else { return try request.give(from: household, rules) }
    let known = Set(try household.store.peers().map(\.id))
    let answer = try request.give(from: household, rules)
    guard !known.contains(request.peer), answer.response.status == 200 else { return answer }
    state.withLock { state in
      // Meanwhile, other requests may have closed the connection and made another one.
      guard var present = state.households[household.name], present.connection == version.connection
      else { return }
      if present.version != version {
        (present.version, present.known, present.answers, present.size) = (version, known, [:], 0)
      }
      if present.answers.updateValue(answer, forKey: question) == nil {
        present.size += Self.size(of: answer, to: question)
      }
      state.households[household.name] = present
      if state.households.values.reduce(0, { $0 + $1.size }) > Self.mostBytes { state.households = [:] }
    }
    return answer
  }

  /// Closes all stores if the file of one is gone or was replaced; the others are opened again when needed.
  func closeReplaced() {
    state.withLock { state in
      let isPresent = state.households.allSatisfy { name, household in
        places.path(of: name).flatMap { FileStamp(of: $0)?.identity } == household.identity
      }
      if !isPresent { state.households = [:] }
    }
  }

  /// The memory for an answer and its question, in bytes.
  static func size(of answer: Answer, to question: [String]) -> Int {
    question.reduce(answer.response.body.count + 1_024) { $0 + $1.utf8.count + 32 }
  }

  /// The present version of a household's store; nil if it cannot be read now.
  func version(of household: String) -> Version? { state.withLock { version(of: household, &$0) } }

  private func version(of household: String, _ state: inout State) -> Version? {
    guard let path = places.path(of: household), let identity = FileStamp(of: path)?.identity
    else { return nil }
    if state.households[household]?.identity != identity {
      // SQLite opens the log only at the first query; a move may have begun before that.
      guard let database = try? Database(path, readOnly: true, wait: .zero),
        (try? database.integer("PRAGMA data_version")) != nil, FileStamp(of: path)?.identity == identity
      else { return nil }
      if state.households.count >= Self.mostHouseholds { state.households = [:] }
      state.connections += 1
      state.households[household] = Household(
        identity: identity, connection: state.connections, database: database)
    }
    guard let present = state.households[household],
      let number = try? present.database.integer("PRAGMA data_version")
    else { return nil }
    return Version(connection: present.connection, number: number)
  }
}
