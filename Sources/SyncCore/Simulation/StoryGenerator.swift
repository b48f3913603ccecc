import JSONLines

/// Makes a story of a seed.
package struct StoryGenerator {
  private var random: SplitMix64
  private var story: Story
  private var time = 0
  private var joined: [Int]
  private var late: Int?
  /// Most do not, since of what is pruned less can be said in the end.
  private var prunes = false
  /// How many each device has taken.
  private var backups: [Int: Int] = [:]

  package static func story(seed: UInt64, devices: Int, steps: Int, links: StoryLinks? = nil) -> Story {
    var generator = StoryGenerator(seed, devices, links)
    return generator.tell(steps)
  }

  private init(_ seed: UInt64, _ devices: Int, _ links: StoryLinks?) {
    random = SplitMix64(seed: seed)
    let drawn = StoryLinks.allCases[Int.random(in: 0..<StoryLinks.allCases.count, using: &random)]
    story = Story(seed: seed, devices: devices, links: links ?? drawn)
    joined = Array(0..<devices)
  }

  private mutating func tell(_ steps: Int) -> Story {
    if story.devices > 2, chance(30) {
      late = story.devices - 1
      joined.removeLast()
    }
    prunes = chance(20)
    // Who has met somebody is waited for before a tombstone goes.
    if chance(75) { meet() }
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

  private mutating func meet() {
    for (first, second) in pairs() {
      time += 500
      add(.session(SessionPlan(from: first, to: second)))
    }
  }

  private mutating func tellOne(_ number: Int) {
    switch draw(0..<100) {
    case 0..<30: add(.put(device: someone(), line: change(number)))
    case 30..<40: add(record(number))
    case 40..<76: addSession()
    case 76..<80: addBackup()
    case 80..<84: addRestore()
    case 84..<91: add(.compact(device: someone()))
    case 91..<94: add(.clock(device: someone(), ahead: chance(40) ? 0 : draw(-30..<30) * 3_600_000))
    case 94..<97 where prunes: addPrune()
    case 94..<97: add(.crash(device: someone(), down: draw(1..<20_000)))
    default:
      var apart: [Int] = []
      for device in joined where chance(40) { apart.append(device) }
      add(.partition(devices: apart, lasting: draw(1_000..<120_000)))
    }
  }

  private mutating func addBackup() {
    let device = someone()
    backups[device, default: 0] += 1
    add(.backup(device: device))
  }

  private mutating func addRestore() {
    let saved = backups.keys.sorted()
    guard !saved.isEmpty else { return addBackup() }
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
    // The same over again, or the other way round, while the first one runs.
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

  // MARK: Records

  private static let entities = ["Note", "Occurrence", "CompletionEvent"]

  private mutating func record(_ number: Int) -> StoryAction {
    var edits: [StoryEdit] = []
    for index in 0..<draw(1..<4) {
      edits.append(
        chance(30) ? .remove(key: key()) : .set(line: change(number * 10 + index, mayDelete: false)))
    }
    return .record(device: someone(), refreshing: chance(60), edits: edits)
  }

  private mutating func key() -> [UInt8] {
    let (entity, id) = place()
    return Array(JSONValue.array([.string(entity), ["id": .string(id)]]).text.utf8)
  }

  /// Few keys, so that devices meet at them.
  private mutating func place() -> (entity: String, id: String) {
    (Self.entities[draw(0..<100) < 55 ? 0 : draw(1..<3)], ["a", "b", "c"][draw(0..<3)])
  }

  private mutating func change(_ number: Int, mayDelete: Bool = true) -> [UInt8] {
    let (entity, id) = place()
    var members: [JSONMember] = [
      .init("entityName", .string(entity)), .init("identity", ["id": .string(id)]),
    ]
    if mayDelete, chance(25) {
      members.append(.init("deletedAt", .string(clock().description)))
    } else {
      if chance(70) { members.append(.init("modifiedAt", .string(clock().description))) }
      if chance(20) { members.append(.init("version", .integer(draw(1..<4)))) }
      members.append(.init("fields", .object(fields(entity, number))))
    }
    return Array(JSONValue.object(members).text.utf8)
  }

  private mutating func fields(_ entity: String, _ number: Int) -> [JSONMember] {
    var fields = [JSONMember("text", .string(chance(80) ? "w\(number)" : "same"))]
    guard entity == "Occurrence" else { return fields }
    let status = ["pending", "pending", "completed", "skipped"][draw(0..<4)]
    fields.append(.init("statusRaw", .string(status)))
    if chance(50) { fields.append(.init("dueDate", .string(clock().description))) }
    if status != "pending", chance(60) { fields.append(.init("completedAt", .string(clock().description))) }
    return fields
  }

  /// Coarse, so that devices write at the same time; seldom far away.
  private mutating func clock() -> Instant {
    let coarse = time / 20_000 * 20_000
    return Story.instant(chance(90) ? coarse : coarse + draw(-40..<3) * 3_600_000)
  }

  // MARK: Chances

  private mutating func add(_ action: StoryAction) { story.steps.append(StoryStep(at: time, action)) }

  /// Mostly short enough for sessions to overlap, seldom as long as peers are waited for.
  private mutating func gap() -> Int {
    switch draw(0..<100) {
    case 0..<70: draw(0..<1_500)
    case 70..<95: draw(1_500..<40_000)
    case 95..<97: draw(1..<48) * 3_600_000
    default: draw(80..<120) * 86_400_000
    }
  }

  private mutating func someone() -> Int { joined[draw(0..<joined.count)] }

  private mutating func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func chance(_ percent: Int) -> Bool { draw(0..<100) < percent }
}
