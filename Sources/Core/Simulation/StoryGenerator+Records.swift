import JSONLines
import SyncCore

/// Records of a story; they have few keys, so that devices change the same records.
extension StoryGenerator {
  private static var entities: [String] { ["Note", "Occurrence", "CompletionEvent"] }

  mutating func place() -> (entity: String, id: String) {
    (Self.entities[draw(0..<100) < 55 ? 0 : draw(1..<3)], ["a", "b", "c"][draw(0..<3)])
  }

  // MARK: Writes

  mutating func put(_ device: Int, _ number: Int) -> StoryAction {
    let (app, place) = (app(of: device), place())
    guard let places = app.places, chance(60) else {
      return .put(device: device, entity: nil, line: change(place, number, mayDelete: true))
    }
    return .put(
      device: device, entity: app.named(place.entity), line: record(places, place, number, mayDelete: true))
  }

  /// A snapshot whose records do not name their entity has the records of one entity.
  mutating func record(_ device: Int, _ number: Int) -> StoryAction {
    let (app, first) = (app(of: device), place())
    let entity = app.named(first.entity)
    var recording = StoryRecording(device: device, entity: entity, refreshing: chance(60), edits: [])
    for index in 0..<draw(1..<4) {
      var place = place()
      if let entity { place.entity = entity }
      recording.edits.append(
        chance(30) ? .remove(key: Self.key(place)) : .set(line: line(app, place, number * 10 + index)))
    }
    return .record(recording)
  }

  private mutating func line(_ app: StoryApp, _ place: (String, String), _ number: Int) -> [UInt8] {
    guard let places = app.places else { return change(place, number, mayDelete: false) }
    return record(places, place, number, mayDelete: chance(15))
  }

  private static func key(_ place: (entity: String, id: String)) -> [UInt8] {
    Array(JSONValue.array([.string(place.entity), ["id": .string(place.id)]]).text.utf8)
  }

  // MARK: Lines

  private mutating func change(
    _ place: (entity: String, id: String), _ number: Int, mayDelete: Bool
  ) -> [UInt8] {
    var members: [JSONMember] = [
      .init("entityName", .string(place.entity)), .init("identity", ["id": .string(place.id)]),
    ]
    if mayDelete, chance(25) {
      members.append(.init("deletedAt", .string(clock().description)))
    } else {
      if chance(70) { members.append(.init("modifiedAt", .string(clock().description))) }
      if chance(20) { members.append(.init("version", .integer(draw(1..<4)))) }
      members.append(.init("fields", .object(fields(place.entity, number))))
    }
    return Array(JSONValue.object(members).text.utf8)
  }

  private mutating func record(
    _ places: StoryApp.Places, _ place: (entity: String, id: String), _ number: Int, mayDelete: Bool
  ) -> [UInt8] {
    var value = JSONValue.object(fields(place.entity, number))
    if chance(20) { value.set(JSONPointer(name: "version"), .integer(draw(1..<4))) }
    if let entity = places.entity { value.set(entity, .string(place.entity)) }
    value.set(places.key, .string(place.id))
    if chance(70) { value.set(places.clock, spelledClock()) }
    if let tombstone = places.tombstone {
      value.set(tombstone, mayDelete && chance(25) ? .bool(true) : .bool(false))
    } else if mayDelete, chance(15) {
      value.set(JSONPointer(name: "deletedAt"), .string(clock().description))
    }
    return Array(value.text.utf8)
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

  // MARK: Clocks

  /// A coarse time, so that devices write at the same time; rarely a time far away.
  private mutating func clock() -> Instant {
    let coarse = time / 20_000 * 20_000
    return Story.instant(chance(90) ? coarse : coarse + draw(-40..<3) * 3_600_000)
  }

  /// A clock as apps spell it: in seconds, without an offset, or as a day.
  private mutating func spelledClock() -> JSONValue {
    let clock = clock()
    let text = clock.description
    return switch draw(0..<8) {
    case 0, 1: .integer(clock.seconds)
    case 2, 3: .string(text.prefix(10) + " " + text.dropFirst(11).prefix(8))
    case 4: .string(String(text.prefix(10)))
    default: .string(text)
    }
  }
}

extension JSONValue {
  /// Adds a member at the pointer, with the objects on its path.
  fileprivate mutating func set(_ pointer: JSONPointer, _ value: JSONValue) {
    guard let first = pointer.tokens.first else { return self = value }
    var members = objectValue ?? []
    let rest = JSONPointer(tokens: Array(pointer.tokens.dropFirst()))
    if let index = members.firstIndex(where: { $0.name == first }) {
      members[index].value.set(rest, value)
    } else {
      var inner = JSONValue.object([])
      inner.set(rest, value)
      members.append(JSONMember(first, inner))
    }
    self = .object(members)
  }
}
