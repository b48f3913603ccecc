import SyncCore

/// A session under way: two dialogues and the connection between them.
struct SimulatedSession<Store: SimulatedStore> {
  /// One end: a dialogue, and the packets that have arrived for it.
  struct Side {
    let device: Int
    var dialogue: Dialogue
    var store: Store.Session
    var next = DialogueStep.Next.receive(extraSeconds: 0, wantsChanges: false)
    var end: DialogueEnd?
    /// Ended, normally or by a crash: packets that arrive now are too late.
    var isGone = false
    /// Messages in order; nil means the end of the connection.
    var inbox: [[UInt8]?] = []
    /// Packets that arrived too early, by number.
    var early: [Int: [UInt8]?] = [:]
    var expected = 0
    var sent = 0
    var transactions = 0
    /// The end of the last page that this side has given, while the pages began with the very first change.
    var completeUpTo: [UInt8]?
    /// The number of the valid timer; earlier ones are ignored.
    var timer = 0

    init(device: Int, dialogue: Dialogue, store: Store.Session) {
      (self.device, self.dialogue, self.store) = (device, dialogue, store)
    }
  }

  let plan: SessionPlan
  /// Whether the acceptor's dialogue is on the connector's device, so that only the requests to its store go
  /// over the network.
  let isByRequests: Bool
  var random: SplitMix64
  /// The connector, then the acceptor.
  var sides: [Side]
  var messages = 0
  /// Change lines in its responses.
  var changes = 0
  /// The giver's records when it gave the last page of an answer, and the end of that page.
  var promise: [[UInt8]] = []
  var promisedUpTo: [UInt8]?
  /// The connection is lost: no more packets are delivered.
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
