package import JSONLines
import SyncCore

extension Story {
  /// One object per line: the story itself, then its steps; see docs/simulation.md.
  package var lines: [JSONValue] {
    var members: [JSONMember] = [
      .init("story", 1), .init("seed", .integer(seed)), .init("devices", .integer(devices)),
      .init("links", .string(links.rawValue)),
    ]
    if !rules.isEmpty { members.append(.init("rules", .array(rules.map { $0?.value ?? .null }))) }
    if let failure { members.append(.init("failure", failure.value)) }
    return [.object(members)] + steps.map(\.value)
  }
}

extension SimulationFailure {
  package var value: JSONValue { ["kind": .string(kind.rawValue), "message": .string(message)] }
}

extension StoryRules {
  fileprivate var value: JSONValue {
    let pointers = [("key", key), ("clock", clock), ("tombstone", tombstone), ("entity", entity)]
    return .object(
      [.init("profile", .string(profile.rawValue))]
        + pointers.compactMap { name, pointer in pointer.map { .init(name, .string($0.text)) } })
  }
}

extension StoryStep {
  var value: JSONValue {
    .object([.init("at", .integer(at)), .init("step", .string(action.name.rawValue))] + action.members)
  }
}

extension StoryAction {
  enum Name: String, CaseIterable {
    case join, put, record, session, backup, restore, compact, rules, prune, clock, crash, partition
  }

  var name: Name {
    switch self {
    case .join: .join
    case .put: .put
    case .record: .record
    case .session: .session
    case .backup: .backup
    case .restore: .restore
    case .compact: .compact
    case .rules: .rules
    case .prune: .prune
    case .clock: .clock
    case .crash: .crash
    case .partition: .partition
    }
  }

  fileprivate var members: [JSONMember] {
    switch self {
    case .join(let device), .backup(let device), .compact(let device): [.init("device", .integer(device))]
    case .put(let device, let entity, let line):
      [.init("device", .integer(device))] + Self.naming(entity) + [.init("line", .json(line))]
    case .record(let recording):
      [.init("device", .integer(recording.device))] + Self.naming(recording.entity) + [
        .init("refreshing", .bool(recording.refreshing)),
        .init("edits", .array(recording.edits.map(\.value))),
      ]
    case .rules(let device, let profile):
      [.init("device", .integer(device)), .init("profile", .string(profile.rawValue))]
    case .session(let plan): plan.members
    case .restore(let device, let age): [.init("device", .integer(device)), .init("age", .integer(age))]
    case .prune(let device, let entity, let before):
      [
        .init("device", .integer(device)), .init("entity", .string(entity)),
        .init("before", .integer(before)),
      ]
    case .clock(let device, let ahead): [.init("device", .integer(device)), .init("ahead", .integer(ahead))]
    case .crash(let device, let down): [.init("device", .integer(device)), .init("down", .integer(down))]
    case .partition(let devices, let lasting):
      [.init("devices", .array(devices.map { .integer($0) })), .init("lasting", .integer(lasting))]
    }
  }
}

extension StoryAction {
  private static func naming(_ entity: String?) -> [JSONMember] {
    entity.map { [.init("entity", .string($0))] } ?? []
  }
}

extension StoryEdit {
  fileprivate var value: JSONValue {
    switch self {
    case .set(let line): ["set": .json(line)]
    case .remove(let key): ["remove": .json(key)]
    }
  }
}

extension SessionPlan {
  /// Default values are left out.
  fileprivate var members: [JSONMember] {
    let defaults = SessionPlan(from: from, to: to)
    var members: [JSONMember] = [.init("from", .integer(from)), .init("to", .integer(to))]
    if direction != defaults.direction { members.append(.init("direction", .string(direction.rawValue))) }
    if page != defaults.page { members.append(.init("page", .integer(page))) }
    if network != defaults.network {
      members.append(
        .init(
          "network",
          [
            "seed": .integer(network.seed), "delay": .integer(network.delay), "loss": .integer(network.loss),
            "repeats": .integer(network.repeats),
          ]))
    }
    if let cut { members.append(.init("cut", .integer(cut))) }
    if let crash {
      members.append(
        .init(
          "crash",
          [
            "side": .string(crash.isConnector ? "connector" : "acceptor"),
            "transaction": .integer(crash.transaction), "place": .string(crash.place.rawValue),
            "down": .integer(crash.down),
          ]))
    }
    if let following { members.append(.init("following", .integer(following))) }
    return members
  }
}

extension JSONValue {
  /// The generator writes valid JSON; other text is written unchanged.
  fileprivate static func json(_ text: [UInt8]) -> JSONValue {
    (try? JSONValue(parsing: text.span)) ?? .string(String(decoding: text, as: UTF8.self))
  }
}
