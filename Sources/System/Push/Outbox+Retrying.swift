import Store

extension Outbox {
  /// The pushes that some device could not get, whatever became of the others; pushes at their end count too.
  static let failedCondition = """
    (state = 'failed' OR state IN ('sent', 'sending')
      AND EXISTS (SELECT 1 FROM deliveries WHERE push = number AND deliveries.state = 'failed'))
    """

  /// Lets what has failed wait again, inside `write`: all of it, or the push of an id; gives how many pushes.
  ///
  /// What has been delivered is not sent again.
  package func retry(only id: String?) throws -> Int {
    let named = id == nil ? "" : " AND id = ?1"
    let statement = try database.statement("SELECT number FROM pushes WHERE \(Self.failedCondition)\(named)")
    if let id { statement.bind(1, id) }
    var numbers: [Int64] = []
    try statement.forEachRow { numbers.append($0.integer(0)) }
    for number in numbers { try retry(number) }
    return numbers.count
  }

  private func retry(_ number: Int64) throws(StoreError) {
    try database.statement(
      """
      UPDATE deliveries SET state = 'waiting', attempts = 0, nextAttempt = 0
      WHERE push = ?1 AND state = 'failed'
      """
    ).bind(1, number).run()
    let isSending = database.changes > 0
    // If all devices are gone, or nothing had been sent yet, deliveries are made anew, for devices that came since.
    if !isSending { try database.statement("DELETE FROM deliveries WHERE push = ?1").bind(1, number).run() }
    try database.statement("UPDATE pushes SET state = ?2 WHERE number = ?1")
      .bind(1, number).bind(2, isSending ? "sending" : "waiting").run()
  }
}
