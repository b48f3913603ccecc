package import JSONLines
package import SyncCore

/// Devices with stores and clocks on a network, which execute a story.
///
/// The story determines the result: the same story always gives the same result. docs/simulation.md describes
/// the faults and the final checks.
package struct Simulation<Store: SimulatedStore> {
  enum Event {
    case step(Int)
    /// A packet arrives at a side; nil is the end of the connection.
    case packet(session: Int, side: Int, number: Int, [UInt8]?)
    /// A side may read the next message of its inbox.
    case inbox(session: Int, side: Int)
    /// A side notices that the connection is broken.
    case broken(session: Int, side: Int)
    case timeOut(session: Int, side: Int, timer: Int)
    case transaction(session: Int, side: Int)
    case changed(session: Int, side: Int)
    case stop(session: Int)
  }

  let story: Story
  let shape: RecordShape
  /// The rules by which all stores merge at the end, as canonical JSON.
  let mergeRules: [UInt8]
  var devices: [SimulatedDevice<Store>] = []
  var sessions: [SimulatedSession<Store>] = []
  /// The indexes of the running sessions.
  var openSessions: [Int] = []
  var queue = EventQueue<Event>()
  /// The time in milliseconds from the beginning of the story.
  var time = 0
  var stamps = 0
  var reader: ChangeReader
  /// All lines that a device stored as its own write.
  var written: Set<[UInt8]> = []
  /// Tombstones that a device has compacted away.
  var dropped: Set<[UInt8]> = []
  /// Records that a device has dropped because of their age.
  var prunes = Prunes()
  /// Keys without a determined final state; see `compact`.
  var undecided: Set<[UInt8]> = []
  package internal(set) var counts = SimulationCounts()
  /// A function that is called with every event.
  package var log: ((JSONValue) -> Void)?

  /// `store` creates the empty store of a device.
  package init(
    _ story: Story, _ shape: RecordShape, store: (Int) throws(SimulationFailure) -> Store
  ) throws(SimulationFailure) {
    (self.story, self.shape, mergeRules) = (story, shape, shape.mergeRules)
    reader = ChangeReader(shape)
    for number in 0..<story.devices {
      let joinsLater = story.steps.contains { $0.action == .join(device: number) }
      devices.append(SimulatedDevice(number: number, store: try store(number), hasJoined: !joinsLater))
    }
    for (index, step) in story.steps.enumerated() { queue.add(.step(index), at: step.at) }
  }

  /// Runs the story, lets the devices settle, and checks the result.
  package mutating func run() throws(SimulationFailure) {
    try runQueue()
    try settle()
  }

  mutating func runQueue() throws(SimulationFailure) {
    while let (time, event) = queue.next() {
      self.time = max(self.time, time)
      try handle(event)
    }
  }

  private mutating func handle(_ event: Event) throws(SimulationFailure) {
    switch event {
    case .step(let index): try perform(story.steps[index].action)
    case .packet(let session, let side, let number, let line): arrive(session, side, number, line)
    case .inbox(let session, let side): try handleMessage(session, side)
    case .broken(let session, let side): try deliver(.closed, session, side)
    case .timeOut(let session, let side, let timer):
      if sessions[session].sides[side].timer == timer { try deliver(.timedOut, session, side) }
    case .transaction(let session, let side): try transact(session, side)
    case .changed(let session, let side): try deliver(.changed, session, side)
    case .stop(let session): try deliver(.stop, session, 0)
    }
  }

  /// Whether the device is down after a crash, or has not joined yet.
  func isAway(_ device: Int) -> Bool { !devices[device].hasJoined || devices[device].downUntil > time }

  /// The time on a device's clock.
  func now(_ device: Int) -> Instant { Story.instant(time + devices[device].ahead) }

  /// Runs one transaction of a device's store.
  mutating func use<Value>(
    _ device: Int, _ body: (inout Store) throws(Store.Failure) -> Value
  ) throws(SimulationFailure) -> Value {
    devices[device].store.now = now(device)
    do throws(Store.Failure) {
      return try body(&devices[device].store)
    } catch {
      throw SimulationFailure(.storeFailed, "\(devices[device].id): \(error)")
    }
  }

  /// Runs one transaction for a dialogue.
  mutating func answer(
    _ request: StoreRequest, _ session: Int, _ side: Int
  ) throws(SimulationFailure) -> StoreAnswer {
    let device = sessions[session].sides[side].device
    let peer = sessions[session].sides[side].dialogue.settings.peerId
    devices[device].store.now = now(device)
    do throws(Store.Failure) {
      return try sessions[session].sides[side].store.answer(request, aboutPeer: peer)
    } catch {
      throw SimulationFailure(.storeFailed, "\(devices[device].id): \(error)")
    }
  }

  mutating func note(_ what: String, device: Int? = nil, _ members: [JSONMember] = []) {
    guard let log else { return }
    var all = [
      JSONMember("time", .string(Story.instant(time).description)), JSONMember("event", .string(what)),
    ]
    if let device { all.append(JSONMember("device", .integer(device))) }
    log(.object(all + members))
  }
}
