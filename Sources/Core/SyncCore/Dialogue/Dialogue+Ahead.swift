/// Pages that are sent before earlier pages are acknowledged, so that a link is used while a page is stored.
extension Dialogue {
  /// How many pages of an answer may be without an ack.
  ///
  /// It is 1 for a request that may wait, because the requester may then pass the turn before the answer. It
  /// is also 1 for a resync, which is acknowledged only at its end.
  func window(of request: SyncRequest) -> Int {
    settings.version == .two ? min(request.windowInEffect, settings.window) : 1
  }

  /// Whether a page exceeds the limit for pages of a series, because its only record exceeds it.
  func isOversized(_ page: StorePage) -> Bool {
    page.lines.count > max(settings.pageLimit, DialogueSettings.loopPage)
  }

  mutating func readAhead(after token: [UInt8], first: GivenPage) -> DialogueStep.Next {
    series?.request.since = token
    state = .readsAhead(first)
    return series.map { .store(.page(page(for: $0.request))) } ?? .receive
  }

  /// Sends the next page, and reads on while the window allows it.
  ///
  /// A lost token or a store in use is reported only after the acks of the pages before it.
  mutating func giveAhead(
    _ answer: PageAnswer, _ first: GivenPage, _ stamp: MessageStamp
  ) -> DialogueStep {
    guard case .page(let page) = answer, let series else {
      self.series?.isHalted = true
      return DialogueStep(row: .aheadLater, next: awaitAck(first))
    }
    let given = GivenPage(
      id: stamp.id, token: page.token, isLast: !page.hasMore, mayBeCrossed: false,
      isOversized: isOversized(page))
    self.series?.later.append(given)
    owed = page.hasMore ? page.token : nil
    // The window includes the first page, the later pages so far and this page.
    let isFull = given.isOversized || series.later.count + 2 >= window(of: series.request)
    return send(
      .giveAhead, .syncResponse(response(page, continues: page.hasMore)), replyTo: series.id, stamp,
      then: page.hasMore && !isFull ? readAhead(after: page.token, first: first) : awaitAck(first))
  }

  /// Continues a series after the ack of its oldest page.
  mutating func goOn(_ row: DialogueRow, _ series: Series, yourTurn: Bool) -> DialogueStep {
    if yourTurn { return broken("a turn passed before the last page") }
    guard let first = series.later.first else {
      var request = series.request
      request.since = owed
      self.series = nil
      return readPage(row, series.id, request, mayWait: false)
    }
    self.series?.later.removeFirst()
    let waits = series.isHalted || series.later.last?.isOversized == true
    guard let owed, !waits else { return DialogueStep(row: row, next: awaitAck(first)) }
    return DialogueStep(row: row, next: readAhead(after: owed, first: first))
  }
}
