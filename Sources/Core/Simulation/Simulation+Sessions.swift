import JSONLines
import SyncCore

/// Connections: both ends, and the packets between them.
extension Simulation {
  mutating func connect(_ plan: SessionPlan) throws(SimulationFailure) {
    var plan = plan
    if story.links == .hub {
      // A server does not connect to devices, and requests are not kept open here.
      if plan.from == 0 { (plan.from, plan.to) = (plan.to, plan.from) }
      plan.following = nil
    }
    guard !isAway(plan.from) else { return }
    guard !isAway(plan.to), !isApart(plan.from, plan.to, at: time) else {
      counts[.refusedConnections] += 1
      return
    }
    counts[.sessions] += 1
    let session = sessions.count
    let (connector, acceptor) = (try side(plan, .connector(plan.direction)), try side(plan, .acceptor))
    sessions.append(SimulatedSession(plan, connector, acceptor, byRequests: story.links == .hub))
    openSessions.append(session)
    note(
      "connects", device: plan.from, [.init("session", .integer(session)), .init("to", .integer(plan.to))])
    if let following = plan.following { queue.add(.stop(session: session), at: time + following) }
    try deliver(.start, session, 1)
    try deliver(.start, session, 0)
  }

  private mutating func side(
    _ plan: SessionPlan, _ role: DialogueSettings.Role
  ) throws(SimulationFailure) -> SimulatedSession<Store>.Side {
    let (own, other) = role == .acceptor ? (plan.to, plan.from) : (plan.from, plan.to)
    // Settings of version 2 may use all features that version 1 lacks.
    var settings = DialogueSettings(
      role: role, version: .two, ownId: devices[own].id, ownName: devices[own].id, peerId: devices[other].id,
      shared: try use(own) { store throws(Store.Failure) in try store.sharedRules() })!
    settings.pageLimit = plan.page
    // One to four for small pages; pages of the default size are requested one by one.
    settings.window = 1 + plan.page % 4
    if plan.following != nil, role != .acceptor { settings.waitSeconds = 30 }
    let dialogue = Dialogue(settings, wire: WireCodec(shape, types: WireTypes()))
    let store = try use(own) { store throws(Store.Failure) in try store.session() }
    return SimulatedSession.Side(device: own, dialogue: dialogue, store: store)
  }

  // MARK: Sides

  mutating func deliver(_ event: DialogueEvent, _ session: Int, _ side: Int) throws(SimulationFailure) {
    guard !sessions[session].sides[side].isGone else { return }
    stamps += 1
    let stamp = MessageStamp(id: UUIDText(number: stamps), sentAt: now(sessions[session].sides[side].device))
    let step = sessions[session].sides[side].dialogue.handle(event, stamp)
    counts.add(step.row)
    if step.row == .foreign { counts[.foreignTokens] += 1 }
    if step.row == .expired { counts[.expiredTokens] += 1 }
    note(
      step.row.rawValue, device: sessions[session].sides[side].device, [.init("session", .integer(session))])
    if let message = step.message { try send(message, session, side) }
    sessions[session].sides[side].timer += 1
    try goOn(step.next, session, side)
  }

  private mutating func goOn(
    _ next: DialogueStep.Next, _ session: Int, _ side: Int
  ) throws(SimulationFailure) {
    sessions[session].sides[side].next = next
    switch next {
    case .receive(let extra, _): startTimer(30 + extra, session, side)
    case .awaitChange(let seconds), .rest(let seconds): startTimer(seconds, session, side)
    case .store:
      // Transactions of other sessions can run in between.
      let busy = sessions[session].draw(1..<20)
      queue.add(.transaction(session: session, side: side), at: time + busy)
    case .end(let end): try finish(end, session, side)
    }
  }

  private mutating func startTimer(_ seconds: Int, _ session: Int, _ side: Int) {
    let timer = sessions[session].sides[side].timer
    queue.add(.timeOut(session: session, side: side, timer: timer), at: time + seconds * 1_000)
    if !sessions[session].sides[side].inbox.isEmpty {
      queue.add(.inbox(session: session, side: side), at: time)
    }
  }

  private mutating func finish(_ end: DialogueEnd, _ session: Int, _ side: Int) throws(SimulationFailure) {
    sessions[session].sides[side].end = end
    sessions[session].sides[side].isGone = true
    if case .protocolBroken(let reason) = end {
      throw SimulationFailure(
        .protocolBroken, "\(devices[sessions[session].sides[side].device].id): \(reason)")
    }
    sendPacket(nil, session, side)
  }

  mutating func handleMessage(_ session: Int, _ side: Int) throws(SimulationFailure) {
    guard !sessions[session].sides[side].isGone, !sessions[session].sides[side].inbox.isEmpty else { return }
    switch sessions[session].sides[side].next {
    case .receive, .awaitChange, .rest: break
    case .store, .end: return
    }
    guard let line = sessions[session].sides[side].inbox.removeFirst() else {
      return try deliver(.closed, session, side)
    }
    var event: DialogueEvent
    do throws(MessageError) {
      event = .message(try Message(parsing: line.span))
    } catch {
      event = .unreadable(error)
    }
    try deliver(event, session, side)
  }

  // MARK: Transactions

  mutating func transact(_ session: Int, _ side: Int) throws(SimulationFailure) {
    let place = sessions[session].sides[side]
    guard !place.isGone, case .store(let request) = place.next else { return }
    sessions[session].sides[side].transactions += 1
    if losesRequest(session, side) { return lose(session) }
    let crash = sessions[session].plan.crash.flatMap { crash in
      crash.isConnector == (side == 0) && crash.transaction == place.transactions + 1 ? crash : nil
    }
    switch crash?.place {
    case .before?: return try self.crash(place.device, down: crash?.down ?? 0)
    case .inside?:
      try breakOff(request, session, side)
      return try self.crash(place.device, down: crash?.down ?? 0)
    case .after?, nil: break
    }
    let before = try use(place.device) { store throws(Store.Failure) in try store.lastSequence() }
    let answer = try answer(request, session, side)
    try check(answer, to: request, session, side)
    if try use(place.device, { store throws(Store.Failure) in try store.lastSequence() }) != before {
      tellFollowers(of: place.device, except: session)
    }
    if let crash { return try self.crash(place.device, down: crash.down) }
    // The server carried out the request, but its answer is lost.
    if losesRequest(session, side) { return lose(session) }
    try deliver(.store(answer), session, side)
  }

  /// The parts of a store that a transaction of a session may change.
  private struct SessionState: Equatable {
    var rules: [UInt8]?
    var lines: [[UInt8]]
    var waiting: [[UInt8]]
    var sequence: Int64
    /// The checkpoint, with the acknowledgement of the other side.
    var checkpoint: StoreAnswer
  }

  private mutating func state(_ session: Int, _ side: Int) throws(SimulationFailure) -> SessionState {
    let device = sessions[session].sides[side].device
    return SessionState(
      rules: try mergeRules(device), lines: try lines(device),
      waiting: try use(device) { store throws(Store.Failure) in try store.waitingLines() },
      sequence: try use(device) { store throws(Store.Failure) in try store.lastSequence() },
      checkpoint: try answer(.checkpoint, session, side))
  }

  /// Checks that an interrupted transaction does not store lines, a token, or rules.
  private mutating func breakOff(
    _ request: StoreRequest, _ session: Int, _ side: Int
  ) throws(SimulationFailure) {
    let place = sessions[session].sides[side]
    let before = try state(session, side)
    if case .apply(let page) = request, page.rules != nil { counts[.brokenAdoptions] += 1 }
    sessions[session].sides[side].store.breakOff(request, aboutPeer: place.dialogue.settings.peerId)
    if try state(session, side) != before {
      throw SimulationFailure(
        .damaged, "\(devices[place.device].id): an interrupted transaction changed the store")
    }
  }

  private mutating func check(
    _ answer: StoreAnswer, to request: StoreRequest, _ session: Int, _ side: Int
  ) throws(SimulationFailure) {
    let device = sessions[session].sides[side].device
    switch (request, answer) {
    case (.apply(let page), .applied(.applied(let quarantined, _))):
      counts[.quarantined] += quarantined
      if page.rules != nil, !page.lines.isEmpty { counts[.adoptedRules] += 1 }
      if !page.lines.isEmpty { try checkRules(session, appliedBy: side) }
      try checkPromise(page, session, side)
      for line in page.lines.split(separator: 10) where written.contains(Array(line)) {
        devices[device].known.insert(Array(line))
      }
    case (.page(let request), .page(.page(let page))):
      try checkRules(session, givenBy: side)
      try notePage(page, to: request, session, side)
      let lines = page.lines.count { $0 == 10 }
      counts[.changes] += lines
      sessions[session].changes += lines
    default: break
    }
  }

  /// Wakes sessions in which a side waits for changes of its store.
  mutating func tellFollowers(of device: Int, except other: Int? = nil) {
    openSessions.removeAll { sessions[$0].isOver }
    for session in openSessions where session != other {
      for side in 0..<2
      where sessions[session].sides[side].device == device && !sessions[session].sides[side].isGone {
        switch sessions[session].sides[side].next {
        case .awaitChange, .receive(_, wantsChanges: true):
          queue.add(.changed(session: session, side: side), at: time)
        default: break
        }
      }
    }
  }
}

extension UUIDText {
  /// The id of a message in a simulation.
  fileprivate init(number: Int) {
    let digits = String(number)
    self.init("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)!
  }
}
