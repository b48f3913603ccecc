import SyncCore

/// A running session: two dialogues and the connection between them.
struct SimulatedSession<Store: SimulatedStore> {
  /// One end: a dialogue, and the packets that arrived for it.
  struct Side {
    let device: Int
    var dialogue: Dialogue
    var store: Store.Session
    var next = DialogueStep.Next.receive(extraSeconds: 0, wantsChanges: false)
    var end: DialogueEnd?
    /// Whether this side has ended, normally or by a crash; later packets are ignored.
    var isGone = false
    /// Messages in order; nil means the end of the connection.
    var inbox: [[UInt8]?] = []
    /// Packets that arrived too early, by number.
    var early: [Int: [UInt8]?] = [:]
    var expected = 0
    var sent = 0
    var transactions = 0
    /// The end of the last page that this side sent, if its pages began with the first change.
    var completeUpTo: [UInt8]?
    /// The number of the valid timer; earlier ones are ignored.
    var timer = 0

    init(device: Int, dialogue: Dialogue, store: Store.Session) {
      (self.device, self.dialogue, self.store) = (device, dialogue, store)
    }
  }

  let plan: SessionPlan
  /// Whether the acceptor's dialogue runs on the connector's device, so only requests to its store use the
  /// network.
  let isByRequests: Bool
  var random: SplitMix64
  /// The connector, then the acceptor.
  var sides: [Side]
  var messages = 0
  /// Change lines in its responses.
  var changes = 0
  /// The sender's records when it sent the last page of an answer, and the end of that page.
  var promise: [[UInt8]] = []
  var promisedUpTo: [UInt8]?
  /// Whether the connection is lost; then packets are no longer delivered.
  var isCut = false

  init(_ plan: SessionPlan, _ connector: Side, _ acceptor: Side, byRequests: Bool) {
    (self.plan, isByRequests) = (plan, byRequests)
    random = SplitMix64(seed: plan.network.seed)
    sides = [connector, acceptor]
  }

  var isOver: Bool { sides[0].isGone && sides[1].isGone }

  mutating func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func chance(_ percent: Int) -> Bool { draw(0..<100) < percent }
}
