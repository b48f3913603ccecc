internal import CPQOnDemand
import JSONLines
package import Store
import SystemIO

/// A connection to a PostgreSQL server, confined to one thread.
///
/// The connection is made at the first statement, and again if it was lost. A pooler may assign another
/// session to each transaction, so the session's state is never used: statements do not have names, and settings apply
/// only to their transaction. Statements are sent one after the other, and answers are awaited only when one is needed.
///
/// This is safe because the handle is valid until ``close()``, after which it is nil.
@safe
package final class PostgresConnection {
  let address: PostgresAddress
  private var library: peersync_libpq
  private var handle: OpaquePointer?
  /// The number of sent statements with unread answers.
  private var sent = 0
  /// The number of times that the connection was made: data read over an earlier one may be from another
  /// server.
  package private(set) var generation = 0
  /// The longest wait for a lock.
  package var wait = Duration.seconds(10)
  /// The longest wait for a silent server; nil for no limit.
  package var patience: Duration?
  /// An upper limit of the bytes that libpq has not sent yet.
  private var unsent = 0
  /// The transaction under way; nil without one.
  private(set) var transaction: Transaction?

  struct Transaction {
    /// The statements that begin the transaction; empty once they have been sent.
    var opening: [String]
  }

  package init(_ address: PostgresAddress) throws {
    self.address = address
    library = try PostgresLibrary.load()
  }

  deinit { close() }

  /// Closes the connection; the server drops the transaction under way.
  package func close() {
    if let handle = unsafe handle { unsafe peersync_pq_finish(&library, handle) }
    unsafe handle = nil
    (sent, unsent, transaction) = (0, 0, nil)
  }

  // MARK: Connecting

  private func connected() throws(StoreError) -> OpaquePointer {
    if let handle = unsafe handle { return unsafe handle }
    let made = try unsafe address.connect(&library)
    unsafe handle = made
    generation += 1
    guard unsafe peersync_pq_enter_pipeline(&library, made) != 0 else {
      throw lost("no pipeline")
    }
    return unsafe made
  }

  /// Connects if needed, also if the server closed the idle connection.
  package func refresh() throws(StoreError) {
    if transaction == nil, let handle = unsafe handle, unsafe peersync_pq_is_alive(&library, handle) == 0 {
      close()
    }
    _ = try unsafe connected()
  }

  private func lost(_ reason: String) -> StoreError {
    close()
    return .unavailable(reason)
  }

  // MARK: Statements

  /// Sends a statement without waiting for its answer.
  func send(_ sql: String, _ values: PostgresValues.Packed = .init()) throws(StoreError) {
    // Unread answers would fill the connection's buffers, and the server would stop reading.
    if sent >= 256 { _ = try finish() }
    let handle = try unsafe connected()
    let isSent = unsafe values.bytes.withUnsafeBufferPointer { bytes in
      unsafe values.places.withUnsafeBufferPointer { places in
        unsafe values.lengths.withUnsafeBufferPointer { lengths in
          unsafe values.areBinary.withUnsafeBufferPointer { areBinary in
            unsafe peersync_pq_send(
              &library, handle, sql, Int32(values.places.count), bytes.baseAddress, places.baseAddress,
              lengths.baseAddress, areBinary.baseAddress) != 0
          }
        }
      }
    }
    guard isSent else { throw unsafe lost(reason(handle)) }
    sent += 1
    unsent += values.bytes.count
    guard unsent > Self.mostUnsent else { return }
    while try unsafe !hasSent(handle) {}
    unsent = 0
  }

  private static let mostUnsent = 1 << 20

  /// Waits until bytes can be read or sent; true if all bytes are sent and answers are not awaited.
  ///
  /// A server that is silent for too long counts as lost.
  @unsafe @discardableResult
  private func hasSent(_ handle: OpaquePointer, forAnswer: Bool = false) throws(StoreError) -> Bool {
    let time = patience.map { Int32(clamping: $0.wholeMilliseconds) } ?? -1
    switch unsafe peersync_pq_await(&library, handle, forAnswer ? 1 : 0, time) {
    case 0: throw lost("no answer for \(patience?.components.seconds ?? 0) s")
    case 1: return false
    case 2: return true
    default: throw unsafe lost(reason(handle))
    }
  }

  /// Waits for all answers, and returns the answer to the statement before the last `later` ones.
  ///
  /// Throws the first error of any statement.
  @discardableResult
  func finish(before later: Int = 0) throws(StoreError) -> PostgresResult? {
    guard sent > 0, let handle = unsafe handle else { return nil }
    var wanted = sent - later
    (sent, unsent) = (0, 0)
    guard unsafe peersync_pq_sync(&library, handle) != 0 else { throw unsafe lost(reason(handle)) }
    var (last, error): (PostgresResult?, StoreError?) = (nil, nil)
    // After the answers of each statement, libpq returns an end; two ends in a row mean that no more answers
    // follow.
    var ends = 0
    while ends < 2 {
      while unsafe peersync_pq_is_busy(&library, handle) != 0 { try unsafe hasSent(handle, forAnswer: true) }
      guard let answer = unsafe peersync_pq_result(&library, handle) else {
        ends += 1
        continue
      }
      ends = 0
      let result = unsafe PostgresResult(answer, library)
      if unsafe peersync_pq_is_sync(&library, answer) != 0 { break }
      if unsafe peersync_pq_is_good(&library, answer) != 0 {
        wanted -= 1
        if wanted == 0 { last = result }
      } else if unsafe peersync_pq_is_aborted(&library, answer) == 0, error == nil {
        error = unsafe Self.error(answer, &library)
      }
    }
    guard unsafe peersync_pq_is_connected(&library, handle) != 0 else {
      throw unsafe lost(reason(handle))
    }
    if case .unavailable(let reason) = error { throw lost(reason) }
    if let error { throw error }
    return last
  }

  private static func error(_ answer: OpaquePointer, _ library: inout peersync_libpq) -> StoreError {
    let state = unsafe peersync_pq_state(&library, answer).map { unsafe String(cString: $0) }
    let text = unsafe peersync_pq_primary(&library, answer).map { unsafe String(cString: $0) }
    return StoreError(state: state, message: (text ?? "").firstLine)
  }

  @unsafe
  private func reason(_ handle: OpaquePointer) -> String {
    unsafe peersync_pq_error(&library, handle).map { unsafe String(cString: $0) }?.firstLine ?? ""
  }

  // MARK: Transactions

  /// Begins a transaction; its opening statements are sent with its first statement.
  func begin(_ opening: [String]) { transaction = Transaction(opening: opening) }

  /// Sends the statements that begin the transaction, unless they were sent.
  private func open() throws(StoreError) {
    guard let opening = transaction?.opening, !opening.isEmpty else { return }
    transaction?.opening = []
    for sql in opening { try send(sql) }
  }

  /// Sends a statement of the transaction under way.
  func sendInside(_ sql: String, _ values: PostgresValues.Packed = .init()) throws(StoreError) {
    guard transaction != nil else { throw .unavailable("the connection was lost") }
    try open()
    try send(sql, values)
  }

  /// Commits; after `unavailable` it is unknown whether the transaction was stored.
  func commit() throws(StoreError) {
    guard let transaction else { throw .unavailable("the connection was lost") }
    guard transaction.opening.isEmpty else { return self.transaction = nil }
    try send("COMMIT")
    try finish()
    self.transaction = nil
  }

  func rollback() {
    guard let transaction else { return }
    self.transaction = nil
    guard transaction.opening.isEmpty, unsafe handle != nil else { return }
    do {
      _ = try? finish()
      try send("ROLLBACK")
      try finish()
    } catch {
      close()
    }
  }

  /// Runs one statement as a separate transaction.
  func runAlone(
    _ opening: [String], _ sql: String, _ values: PostgresValues.Packed
  ) throws(StoreError) -> PostgresResult? {
    try refresh()
    begin(opening)
    do throws(StoreError) {
      try sendInside(sql, values)
      try send("COMMIT")
      let result = try finish(before: 1)
      transaction = nil
      return result
    } catch {
      rollback()
      throw error
    }
  }
}

extension String {
  /// The text up to the first line break.
  var firstLine: String { String(prefix { $0 != "\n" && $0 != "\r\n" }) }
}
