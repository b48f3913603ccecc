package import JSONLines
import SyncCore

extension Story {
  /// Reads the output of ``lines``: the story itself, then its steps.
  ///
  /// Blank lines and unknown members are skipped.
  package init(_ lines: [[UInt8]]) throws(DamagedLine) {
    let numbered = zip(lines, 1...).filter { !$0.0.span.isBlankLine }
    guard let (first, number) = numbered.first else {
      throw DamagedLine(line: 1, message: "the file does not contain a story")
    }
    self = try Self.reading(number) { () throws(MemberError) in try Story(head: first) }
    for (line, number) in numbered.dropFirst() {
      let (devices, rules) = (devices, rules)
      steps.append(
        try Self.reading(number) { () throws(MemberError) in
          try StoryReader(try Members(parsing: line.span), devices: devices, rules: rules).step()
        })
    }
  }

  private init(head: [UInt8]) throws(MemberError) {
    let reader = StoryReader(try Members(parsing: head.span))
    _ = try reader.integer("story", 1...1)
    let devices = try reader.integer("devices", 1...Self.deviceLimit)
    self.init(
      seed: UInt64(try reader.integer("seed", 0...Int.max, else: 0)), devices: devices,
      links: try reader.choice("links", else: .full))
    if let found = try reader.members["failure"], let kind = found["kind"]?.stringValue {
      failure = SimulationFailure.Kind(rawValue: kind).map {
        SimulationFailure($0, found["message"]?.stringValue ?? "")
      }
    }
    if let given = try reader.members["rules"] { rules = try reader.deviceRules(given, devices) }
  }

  private static func reading<Value>(
    _ line: Int, _ body: () throws(MemberError) -> Value
  ) throws(DamagedLine) -> Value {
    do throws(MemberError) {
      return try body()
    } catch {
      throw DamagedLine(line: line, message: error.message)
    }
  }
}

/// Reads the members of one line.
struct StoryReader {
  let members: Members<MemberError>
  let devices: Int
  let rules: [StoryRules?]

  init(_ members: Members<MemberError>, devices: Int = 0, rules: [StoryRules?] = []) {
    (self.members, self.devices, self.rules) = (members, devices, rules)
  }

  /// Reads an object inside the line.
  func inside(_ value: JSONValue, _ name: String) throws(MemberError) -> StoryReader {
    StoryReader(try Members(value, at: [name], refusing: .none))
  }

  func error(_ message: String) -> MemberError { MemberError(.other(message, .invalidStory)) }

  // MARK: Steps

  func step() throws(MemberError) -> StoryStep {
    StoryStep(at: try integer("at", 0...Self.longest), try action())
  }

  private func action() throws(MemberError) -> StoryAction {
    switch try choice("step") as StoryAction.Name {
    case .join: .join(device: try device())
    case .put: .put(device: try device(), entity: try entity, line: try change(members["line"]))
    case .record:
      .record(
        StoryRecording(
          device: try device(), entity: try entity, refreshing: try members["refreshing"]?.boolValue ?? false,
          edits: try edits()))
    case .session: .session(try plan())
    case .backup: .backup(device: try device())
    case .restore: .restore(device: try device(), age: try integer("age", 0...Int.max, else: 0))
    case .compact: .compact(device: try device())
    case .rules: .rules(device: try device(), profile: try choice("profile"))
    case .prune:
      .prune(
        device: try device(), entity: try entity ?? "",
        before: try integer("before", -Self.longest...Self.longest))
    case .clock: .clock(device: try device(), ahead: try integer("ahead", -Self.longest...Self.longest))
    case .crash: .crash(device: try device(), down: try integer("down", 0...Self.longest))
    case .partition: .partition(devices: try apart(), lasting: try integer("lasting", 0...Self.longest))
    }
  }

  private func edits() throws(MemberError) -> [StoryEdit] {
    var edits: [StoryEdit] = []
    for edit in try members["edits"]?.arrayValue ?? [] {
      if let key = edit["remove"] {
        guard let parts = key.arrayValue, parts.count == 2, parts[0].stringValue != nil,
          parts[1].objectValue != nil
        else { throw error("'remove' is not a key, such as [\"Note\",{\"id\":\"1\"}]") }
        edits.append(.remove(key: Array(key.text.utf8)))
      } else {
        edits.append(.set(line: try change(edit["set"])))
      }
    }
    return edits
  }

  private func change(_ value: JSONValue?) throws(MemberError) -> [UInt8] {
    guard let value else { throw error("a line is missing") }
    let line = Array(value.text.utf8)
    let own = rules.isEmpty ? StoryRules() : rules[try device()]
    var (reader, key) = (LineReader((own ?? StoryRules()).shape(of: try entity)), [UInt8]())
    do throws(ChangeError) {
      guard try reader.read(line.span, key: &key).kind != .checkpoint else { throw .notAnObject }
    } catch let cause {
      throw error("not a change: \(cause.message)")
    }
    return line
  }

  private var entity: String? { get throws(MemberError) { try members["entity"]?.stringValue } }

  private func apart() throws(MemberError) -> [Int] {
    var apart: [Int] = []
    for element in try members["devices"]?.arrayValue ?? [] {
      guard let device = element.intValue, (0..<devices).contains(device) else {
        throw error("no such device")
      }
      apart.append(device)
    }
    return apart
  }

  // MARK: Sessions

  private func plan() throws(MemberError) -> SessionPlan {
    var plan = SessionPlan(from: try device("from"), to: try device("to"))
    guard plan.from != plan.to else { throw error("a device does not sync with itself") }
    plan.direction = try choice("direction", else: plan.direction)
    plan.page = try integer("page", 1...Int.max, else: plan.page)
    if let network = try members["network"] {
      let reader = try inside(network, "network")
      plan.network.seed = UInt64(try reader.integer("seed", 0...Int.max, else: 0))
      plan.network.delay = try reader.integer("delay", 0...Self.longest, else: plan.network.delay)
      plan.network.loss = try reader.integer("loss", 0...100, else: 0)
      plan.network.repeats = try reader.integer("repeats", 0...100, else: 0)
    }
    if try members["cut"] != nil { plan.cut = try integer("cut", 0...Int.max) }
    if try members["following"] != nil { plan.following = try integer("following", 1...Self.longestWait) }
    if let crash = try members["crash"] { plan.crash = try inside(crash, "crash").crash() }
    return plan
  }

  private func crash() throws(MemberError) -> CrashPlan {
    CrashPlan(
      isConnector: try members["side"]?.stringValue != "acceptor",
      transaction: try integer("transaction", 1...Int.max), place: try choice("place"),
      down: try integer("down", 0...Self.longest, else: 0))
  }

  // MARK: Members

  /// A thousand years in milliseconds.
  private static let longest = 31_556_952_000_000

  /// An hour in milliseconds; even without changes a following session sends messages.
  private static let longestWait = 3_600_000

  private func device(_ name: String = "device") throws(MemberError) -> Int {
    try integer(name, 0...devices - 1)
  }

  func integer(
    _ name: String, _ range: ClosedRange<Int>, else fallback: Int? = nil
  ) throws(MemberError) -> Int {
    if let fallback, try members[name] == nil { return fallback }
    guard let number = try members[name]?.intValue, range.contains(number) else {
      throw members.error(
        name, .wrong("not a whole number from \(range.lowerBound) to \(range.upperBound)"))
    }
    return number
  }

  func choice<Choice: CaseIterable & RawRepresentable>(
    _ name: String, else fallback: Choice? = nil
  ) throws(MemberError) -> Choice where Choice.RawValue == String {
    if let fallback, try members[name] == nil { return fallback }
    guard let choice = try members[name]?.stringValue.flatMap(Choice.init) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw members.error(name, .wrong("not one of \(words)"))
    }
    return choice
  }
}
