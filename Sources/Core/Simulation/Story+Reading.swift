import JSONLines
import SyncCore

/// Why a line of a story cannot be read.
package struct StoryError: Error, Equatable, Sendable {
  /// 1-based.
  package var line: Int
  package var message: String
}

extension Story {
  /// Reads what ``lines`` has written: the story itself, then its steps.
  ///
  /// Blank lines and unknown members are passed over.
  package init(_ lines: [[UInt8]]) throws(StoryError) {
    let numbered = zip(lines, 1...).filter { !$0.0.span.isBlankLine }
    guard let (first, number) = numbered.first else {
      throw StoryError(line: 1, message: "there is no story")
    }
    let reader = StoryReader(try Self.value(first, number), line: number)
    guard try reader.integer("story", 1...1) == 1 else { throw reader.error("unknown kind of story") }
    let devices = try reader.integer("devices", 1...Self.deviceLimit)
    self.init(
      seed: UInt64(try reader.integer("seed", 0...Int.max, else: 0)), devices: devices,
      links: try reader.choice("links", else: .full))
    if let found = reader.value["failure"], let kind = found["kind"]?.stringValue {
      failure = SimulationFailure.Kind(rawValue: kind).map {
        SimulationFailure($0, found["message"]?.stringValue ?? "")
      }
    }
    if let given = reader.value["rules"] { rules = try reader.deviceRules(given, devices) }
    for (line, number) in numbered.dropFirst() {
      var reader = StoryReader(try Self.value(line, number), line: number)
      reader.devices = devices
      reader.rules = rules
      steps.append(try reader.step())
    }
  }

  private static func value(_ line: [UInt8], _ number: Int) throws(StoryError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: line.span)
    } catch {
      throw StoryError(line: number, message: error.message)
    }
  }
}

/// Reads the members of one line.
struct StoryReader {
  let value: JSONValue
  let line: Int
  var devices = 0
  var rules: [StoryRules?] = []

  init(_ value: JSONValue, line: Int) { (self.value, self.line) = (value, line) }

  func error(_ message: String) -> StoryError { StoryError(line: line, message: message) }

  // MARK: Steps

  func step() throws(StoryError) -> StoryStep {
    StoryStep(at: try integer("at", 0...Self.longest), try action())
  }

  private func action() throws(StoryError) -> StoryAction {
    switch try choice("step") as StoryAction.Name {
    case .join: .join(device: try device())
    case .put: .put(device: try device(), entity: entity, line: try change(value["line"]))
    case .record:
      .record(
        StoryRecording(
          device: try device(), entity: entity, refreshing: value["refreshing"]?.boolValue ?? false,
          edits: try edits()))
    case .session: .session(try plan())
    case .backup: .backup(device: try device())
    case .restore: .restore(device: try device(), age: try integer("age", 0...Int.max, else: 0))
    case .compact: .compact(device: try device())
    case .rules: .rules(device: try device(), profile: try choice("profile"))
    case .prune:
      .prune(
        device: try device(), entity: value["entity"]?.stringValue ?? "",
        before: try integer("before", -Self.longest...Self.longest))
    case .clock: .clock(device: try device(), ahead: try integer("ahead", -Self.longest...Self.longest))
    case .crash: .crash(device: try device(), down: try integer("down", 0...Self.longest))
    case .partition: .partition(devices: try apart(), lasting: try integer("lasting", 0...Self.longest))
    }
  }

  private func edits() throws(StoryError) -> [StoryEdit] {
    var edits: [StoryEdit] = []
    for edit in value["edits"]?.arrayValue ?? [] {
      if let key = edit["remove"] {
        edits.append(.remove(key: Array(key.text.utf8)))
      } else {
        edits.append(.set(line: try change(edit["set"])))
      }
    }
    return edits
  }

  private func change(_ value: JSONValue?) throws(StoryError) -> [UInt8] {
    guard let value else { throw error("a line is missing") }
    let line = Array(value.text.utf8)
    let own = rules.isEmpty ? StoryRules() : rules[try device()]
    var (reader, key) = (LineReader((own ?? StoryRules()).shape(of: entity)), [UInt8]())
    do throws(ChangeError) {
      guard try reader.read(line.span, key: &key).kind != .checkpoint else { throw .notAnObject }
    } catch let cause {
      throw error("no change: \(cause.message)")
    }
    return line
  }

  private var entity: String? { value["entity"]?.stringValue }

  private func apart() throws(StoryError) -> [Int] {
    var apart: [Int] = []
    for element in value["devices"]?.arrayValue ?? [] {
      guard let device = element.intValue, (0..<devices).contains(device) else {
        throw error("no such device")
      }
      apart.append(device)
    }
    return apart
  }

  // MARK: Sessions

  private func plan() throws(StoryError) -> SessionPlan {
    var plan = SessionPlan(from: try device("from"), to: try device("to"))
    guard plan.from != plan.to else { throw error("a device does not speak with itself") }
    plan.direction = try choice("direction", else: plan.direction)
    plan.page = try integer("page", 1...Int.max, else: plan.page)
    if let network = value["network"] {
      let reader = StoryReader(network, line: line)
      plan.network.seed = UInt64(try reader.integer("seed", 0...Int.max, else: 0))
      plan.network.delay = try reader.integer("delay", 0...Self.longest, else: plan.network.delay)
      plan.network.loss = try reader.integer("loss", 0...100, else: 0)
      plan.network.repeats = try reader.integer("repeats", 0...100, else: 0)
    }
    if value["cut"] != nil { plan.cut = try integer("cut", 0...Int.max) }
    if value["following"] != nil { plan.following = try integer("following", 1...Self.longest) }
    if let crash = value["crash"] { plan.crash = try StoryReader(crash, line: line).crash() }
    return plan
  }

  private func crash() throws(StoryError) -> CrashPlan {
    CrashPlan(
      isConnector: value["side"]?.stringValue != "acceptor",
      transaction: try integer("transaction", 1...Int.max), place: try choice("place"),
      down: try integer("down", 0...Self.longest, else: 0))
  }

  // MARK: Members

  /// A thousand years in milliseconds.
  private static let longest = 31_556_952_000_000

  private func device(_ name: String = "device") throws(StoryError) -> Int {
    try integer(name, 0...devices - 1)
  }

  func integer(_ name: String, _ range: ClosedRange<Int>, else fallback: Int? = nil) throws(StoryError) -> Int
  {
    if let fallback, value[name] == nil { return fallback }
    guard let number = value[name]?.intValue, range.contains(number) else {
      throw error("'\(name)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func choice<Choice: CaseIterable & RawRepresentable>(
    _ name: String, else fallback: Choice? = nil
  ) throws(StoryError) -> Choice where Choice.RawValue == String {
    if let fallback, value[name] == nil { return fallback }
    guard let choice = value[name]?.stringValue.flatMap(Choice.init) else {
      throw error("'\(name)' is not one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }
}
