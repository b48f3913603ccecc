import JSONLines
import SyncCore

/// Generates a story from a seed.
package struct StoryGenerator {
  private var random: SplitMix64
  private var story: Story
  private(set) var time = 0
  private var joined: [Int]
  /// The records of each device's app.
  private var apps: [StoryApp] = []
  /// Whether the rules of some devices differ from the rules of the rest at first, and are changed later.
  private var rulesDiffer = false
  /// A device without rules until its first session.
  private var fresh: Int?
  private var late: Int?
  /// Whether devices prune records; most stories do not, because fewer checks apply to pruned records.
  private var prunes = false
  /// The number of backups of each device.
  private var backups: [Int: Int] = [:]

  package static func story(seed: UInt64, devices: Int, steps: Int, links: StoryLinks? = nil) -> Story {
    var generator = StoryGenerator(seed, devices, links)
    return generator.tell(steps)
  }

  private init(_ seed: UInt64, _ devices: Int, _ links: StoryLinks?) {
    random = SplitMix64(seed: seed)
    let drawn = StoryLinks.drawn[Int.random(in: 0..<StoryLinks.drawn.count, using: &random)]
    story = Story(seed: seed, devices: devices, links: links ?? drawn)
    joined = Array(0..<devices)
  }

  private mutating func tell(_ steps: Int) -> Story {
    drawApps()
    if story.devices > 2, chance(30) {
      late = story.devices - 1
      joined.removeLast()
    }
    prunes = chance(20)
    // Before a device drops a tombstone, it waits for the peers that it knows.
    if chance(75) { meet() } else if chance(40) { readInOneDirection() }
    for step in 0..<steps {
      time += gap()
      if let late, step >= steps / 2 {
        add(.join(device: late))
        joined.append(late)
        self.late = nil
      }
      tellOne(step)
    }
    return story
  }

  private mutating func drawApps() {
    for _ in 0..<story.devices {
      let app = chance(45) ? StoryApp.changeLines : StoryApp.plain[draw(0..<StoryApp.plain.count)]
      apps.append(app)
      story.rules.append(app.rules)
    }
    rulesDiffer = story.devices > 2 && chance(20)
    guard rulesDiffer else { return }
    for device in 1..<story.devices where device == 1 || chance(30) { story.rules[device]?.profile = .none }
    let last = story.devices - 1
    (apps[last], story.rules[last], fresh) = (.changeLines, nil, last)
  }

  private mutating func meet() {
    for (first, second) in rulesDiffer ? pairs().shuffled(using: &random) : pairs() {
      time += 500
      var plan = SessionPlan(from: first, to: second)
      if let fresh, [first, second].contains(fresh), chance(50) {
        // The device reads its first page in the second transaction, or in the fourth if it must answer
        // first.
        plan.crash = CrashPlan(
          isConnector: fresh == first, transaction: draw(2..<4) + (fresh == first ? 0 : 2),
          place: [.before, .inside, .inside, .after][draw(0..<4)], down: 400)
      }
      add(.session(plan))
    }
  }

  /// Adds a restored device that sent more than its backup contains, and never read from the other side.
  private mutating func readInOneDirection() {
    let pairs = pairs()
    guard !pairs.isEmpty else { return }
    let pair = pairs[draw(0..<pairs.count)]
    let device = pair.0
    var plan = SessionPlan(from: device, to: pair.1)
    plan.direction = .push
    for number in 0..<2 {
      add(put(device, 900 + number))
      time += 500
      plan.network.seed = UInt64(number)
      add(.session(plan))
      time += 500
      if number == 0 { addBackup(of: device) }
    }
    add(.restore(device: device, age: 0))
    time += 500
    if chance(50) { plan.direction = .both } else { plan.direction = .pull }
    add(.session(plan))
  }

  private mutating func tellOne(_ number: Int) {
    switch draw(0..<100) {
    case 0..<30: add(put(writer(), number))
    case 30..<40: add(record(writer(), number))
    case 70..<73 where prunes: addPrune()
    case 73..<76 where rulesDiffer:
      add(.rules(device: someone(), profile: chance(60) ? .chores : .none))
    case 40..<76: addSession()
    case 76..<80: addBackup(of: someone())
    case 80..<84: addRestore()
    case 84..<91: add(.compact(device: someone()))
    case 91..<94: add(.clock(device: someone(), ahead: chance(40) ? 0 : draw(-30..<30) * 3_600_000))
    case 94..<97: add(.crash(device: someone(), down: draw(1..<20_000)))
    default:
      var apart: [Int] = []
      for device in joined where chance(40) { apart.append(device) }
      add(.partition(devices: apart, lasting: draw(1_000..<120_000)))
    }
  }

  private mutating func addBackup(of device: Int) {
    backups[device, default: 0] += 1
    add(.backup(device: device))
  }

  private mutating func addRestore() {
    let saved = backups.keys.sorted()
    guard !saved.isEmpty else { return addBackup(of: someone()) }
    let device = saved[draw(0..<saved.count)]
    add(.restore(device: device, age: draw(0..<backups[device, default: 1])))
  }

  private mutating func addPrune() {
    let before = time / 20_000 * 20_000 - [0, 20_000, 3_600_000][draw(0..<3)]
    add(.prune(device: someone(), entity: place().entity, before: before))
  }

  // MARK: Sessions

  private mutating func addSession() {
    let pairs = pairs()
    guard !pairs.isEmpty else { return }
    let pair = pairs[draw(0..<pairs.count)]
    var plan = chance(50) ? SessionPlan(from: pair.0, to: pair.1) : SessionPlan(from: pair.1, to: pair.0)
    if chance(30) { plan.direction = chance(60) ? .pull : .push }
    if chance(40) { plan.page = draw(1..<600) }
    plan.network.seed = UInt64(draw(0..<1_000_000))
    if chance(40) { plan.network.delay = draw(20..<3_000) }
    if chance(30) { plan.network.loss = draw(1..<40) }
    if chance(30) { plan.network.repeats = draw(1..<40) }
    if chance(20) { plan.cut = draw(0..<12) }
    if chance(25) {
      plan.crash = CrashPlan(
        isConnector: chance(50), transaction: draw(1..<6),
        place: [.before, .inside, .inside, .after][draw(0..<4)], down: draw(1..<20_000))
    }
    if chance(10), plan.direction != .push { plan.following = draw(1_000..<100_000) }
    add(.session(plan))
    // Repeats the session in the same or the other direction while the first one runs.
    if chance(10) {
      time += draw(0..<2_000)
      if chance(50) { (plan.from, plan.to) = (plan.to, plan.from) }
      plan.network.seed += 1
      add(.session(plan))
    }
  }

  private func pairs() -> [(Int, Int)] {
    story.links.pairs(story.devices).filter { joined.contains($0.0) && joined.contains($0.1) }
  }

  // MARK: Chances

  private mutating func add(_ action: StoryAction) {
    if case .session(let plan) = action, fresh == plan.from || fresh == plan.to { fresh = nil }
    story.steps.append(StoryStep(at: time, action))
  }

  /// The time to the next step; mostly so short that sessions overlap, rarely very long.
  private mutating func gap() -> Int {
    switch draw(0..<100) {
    case 0..<70: draw(0..<1_500)
    case 70..<95: draw(1_500..<40_000)
    case 95..<97: draw(1..<48) * 3_600_000
    default: draw(80..<120) * 86_400_000
    }
  }

  private mutating func someone() -> Int { joined[draw(0..<joined.count)] }

  /// A device that may write; it is not `fresh`, because a write would set the rules of that device's store.
  private mutating func writer() -> Int {
    let device = someone()
    return device == fresh ? 0 : device
  }

  func app(of device: Int) -> StoryApp { apps[device] }

  mutating func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func chance(_ percent: Int) -> Bool { draw(0..<100) < percent }
}
