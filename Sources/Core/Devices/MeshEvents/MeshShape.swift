import JSONLines

/// The required form of a value in the mesh's messages.
///
/// Unknown members are skipped. A choice is an object with exactly one of its members. Null counts as absent
/// for a member that is not required.
enum MeshShape: Int, CaseIterable {
  case string, seconds, bool, count
  case message, intentPayload, statePayload, intent, vote, songPayload
  case snapshot, queue, entry, voters, peers, peer, song

  /// A member of an object.
  struct Field {
    var name: StaticString
    var shape: MeshShape
    var isOptional = false
    /// Whether it is another name for the previous field: an object has one of the two.
    var isOtherSpelling = false
  }

  enum Form {
    case string, scalar
    case object([Field])
    case choice([Field])
    case array(of: MeshShape)
  }

  /// All shapes, made once.
  static let table = MeshShapeTable(allCases.map(\.form))

  private var form: Form {
    switch self {
    case .string: .string
    case .seconds, .bool, .count: .scalar
    case .message:
      .choice([
        .init(name: "intent", shape: .intentPayload), .init(name: "stateUpdate", shape: .statePayload),
      ])
    case .intentPayload:
      .object([
        .init(name: "_0", shape: .intent), .init(name: "again", shape: .bool, isOptional: true),
      ])
    case .statePayload: .object([.init(name: "_0", shape: .snapshot)])
    case .intent:
      .choice([.init(name: "vote", shape: .vote), .init(name: "suggestSong", shape: .songPayload)])
    case .vote: .object([.init(name: "songID", shape: .string)])
    case .songPayload: .object([.init(name: "_0", shape: .song)])
    case .snapshot:
      .object([
        .init(name: "nowPlaying", shape: .song, isOptional: true), .init(name: "isPlaying", shape: .bool),
        .init(name: "queue", shape: .queue), .init(name: "connectedPeers", shape: .peers),
        .init(name: "removedSong", shape: .song, isOptional: true),
        .init(name: "sequence", shape: .count, isOptional: true),
      ])
    case .queue: .array(of: .entry)
    case .entry:
      .object([
        .init(name: "id", shape: .string), .init(name: "song", shape: .song),
        .init(name: "addedBy", shape: .peer), .init(name: "voters", shape: .voters),
      ])
    case .voters: .array(of: .string)
    case .peers: .array(of: .peer)
    case .peer:
      .object([
        .init(name: "id", shape: .string), .init(name: "name", shape: .string),
        .init(name: "displayName", shape: .string, isOtherSpelling: true),
      ])
    case .song:
      .object([
        .init(name: "id", shape: .string), .init(name: "title", shape: .string),
        .init(name: "artist", shape: .string), .init(name: "albumArtURL", shape: .string, isOptional: true),
        .init(name: "duration", shape: .seconds),
      ])
    }
  }

  /// The value, with each alternative name of a member replaced by the first name.
  func respelled(_ value: JSONValue) -> JSONValue {
    switch (form, value) {
    case (.array(let element), .array(let values)): .array(values.map { element.respelled($0) })
    case (.object(let fields), .object(let members)), (.choice(let fields), .object(let members)):
      .object(members.map { Self.respelled($0, fields) })
    default: value
    }
  }

  private static func respelled(_ member: JSONMember, _ fields: [Field]) -> JSONMember {
    guard let index = fields.firstIndex(where: { $0.name.description == member.name }) else { return member }
    let name = fields[index].isOtherSpelling ? fields[index - 1].name.description : member.name
    return JSONMember(name, fields[index].shape.respelled(member.value))
  }

  /// The shape's name in an error.
  var expectation: String {
    switch self {
    case .string: "a string"
    case .seconds: "a number"
    case .bool: "true or false"
    case .count: "a whole number from 0"
    case .queue, .voters, .peers: "an array"
    default: "an object"
    }
  }
}

/// Why a value is not a message of the mesh.
struct MeshShapeError: Error, Equatable {
  /// The error in words: lower-case, no final period.
  var message: String

  init(_ message: String) { self.message = message }

  /// The text is not JSON; the scanner reports the exact error.
  static let noJSON = MeshShapeError("not JSON")
}

extension MeshShapeWalk {
  // These are not inlined: the variables of the walk's loops would no longer fit into registers.

  @inline(never)
  func wrongType(_ shape: MeshShape, _ field: Int) -> MeshShapeError {
    let name = field == Self.whole ? "message" : table.name(field)
    return MeshShapeError("'\(name)' is not \(shape.expectation)")
  }

  @inline(never)
  func tooLarge(_ field: Int) -> MeshShapeError {
    MeshShapeError("'\(table.name(field))' is more than a double can hold")
  }

  @inline(never)
  func repeated(_ field: Int, among fields: Range<Int>) -> MeshShapeError {
    let names = fields.filter { table.bit($0) == table.bit(field) }.map { "'\(table.name($0))'" }
    return MeshShapeError(
      names.count > 1 ? "more than one of " + names.joined(separator: " and ") : "duplicate \(names[0])")
  }

  @inline(never)
  func incomplete(_ shape: MeshShape, _ seen: UInt8) -> MeshShapeError {
    if table.kind(shape) == .choice {
      let names = table.fields(shape).map { "'\(table.name($0))'" }
      return MeshShapeError((seen == 0 ? "none of " : "more than one of ") + names.joined(separator: " and "))
    }
    let missing = table.needed(shape) & ~seen
    let names = table.fields(shape).filter { table.bit($0) & missing != 0 }.map { table.name($0) }
    return MeshShapeError("no member '\(names[0])'")
  }
}
