import Crypto
import JSONLines
import Postgres
import Store
import SyncCore
import SystemIO

/// The answers and log entries for requests that cannot be handled.
extension SyncServer {
  func failure(_ error: any Error, _ path: String) -> HTTPResponse {
    switch error {
    case StoreError.missing:
      return .error(404, Diagnostic(.fileNotFound, "the household no longer has a store"))
    case StoreError.busy, StoreError.rulesChanged, StoreError.replaced, StoreError.beingMoved: return .busy()
    case let error as StoreError where error.isOutage:
      // The changes may have been stored; sending them again is harmless.
      note(error, byRequest: true)
      return .busy()
    case is PlannerRequest.TooLarge:
      return .error(413, Diagnostic(.messageTooLarge, "the body has more records than a household can have"))
    case is PlannerRequest.OtherRules:
      return .error(
        409,
        Diagnostic(
          .rulesDiffer, "the household does not merge by the planner's rules",
          hint: "if its records are the planner's, run 'synclog rules set --profile chores' on its store, "
            + "then on each device"))
    case StoreError.tooLong(let reason): return .error(422, Diagnostic(.lineTooLarge, reason))
    case StoreError.quotaReached: return .overQuota
    case StoreError.full where rules.quota != nil && FileMode.freeSpace(for: path) ?? 0 > Self.muchRoom:
      return .overQuota
    case StoreError.full:
      tell(error, path)
      return .error(507, Diagnostic(.storeFull, "the disk of the server is full"))
    // A diagnostic that names a file is about one of the server's own files, such as the keys.
    case let error as Diagnostic where error.file == nil && (error.line != nil || error.exitsAsBadData):
      return .error(422, error)
    default:
      tell(error, path)
      return .error(500, Diagnostic(.storeFailed, "the server failed; its log has the reason"))
    }
  }

  /// Reports at the first failure of an outage that the database is unavailable.
  func note(_ error: any Error, byRequest: Bool) {
    guard case .database(let address) = rules.places,
      outage.hasBegun(at: SystemClock.monotonic(), byRequest: byRequest)
    else { return }
    tell(error, address.text)
  }

  func noteDatabaseWorks() {
    if let text = outage.end(at: SystemClock.monotonic()) { relief(text) }
  }

  /// If the disk has this many free bytes, it is not the reason for a failed request.
  private static let muchRoom: Int64 = 64 << 20

  func tell(_ error: any Error, _ path: String) {
    switch error {
    case let error as StoreError: trouble(Diagnostic(error, store: path))
    case let error as Diagnostic: trouble(error)
    case let error as SystemError: trouble(Diagnostic(error))
    case let error as TransportError: trouble(Diagnostic(error))
    default: trouble(Diagnostic(.bug, "\(error)", file: path))
    }
  }
}

extension HTTPResponse {
  fileprivate static var overQuota: HTTPResponse {
    error(
      507,
      Diagnostic(
        .storeFull, "the household would exceed its quota",
        hint:
          "syncserve sets the quota with --quota; 'syncserve compact' removes deletions that all devices have"
      ))
  }
}

extension Diagnostic {
  fileprivate var exitsAsBadData: Bool { code == .invalidToken || code == .wrongType }
}
