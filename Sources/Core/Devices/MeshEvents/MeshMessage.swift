package import JSONLines

/// The request of a guest.
public enum MeshIntent: Hashable, Sendable {
  case vote(songID: String)
  case suggestSong(MeshSong)

  /// Whether both are the same request, with the same id byte for byte.
  public static func == (a: MeshIntent, b: MeshIntent) -> Bool {
    switch (a, b) {
    case (.vote(let a), .vote(let b)): a.utf8.elementsEqual(b.utf8)
    case (.suggestSong(let a), .suggestSong(let b)): a == b
    case (.vote, .suggestSong), (.suggestSong, .vote): false
    }
  }
}

/// A message between peers.
public enum MeshMessage: Hashable, Sendable {
  /// `again` is true if it was sent before, in a connection that ended before its arrival was confirmed.
  case intent(MeshIntent, again: Bool = false)
  case stateUpdate(MeshSnapshot)
}

extension MeshMessage {
  /// Checks that a text is a message, without creating one; true if it has neither blanks nor unknown
  /// members.
  static func check(_ text: Span<UInt8>, by walk: inout MeshShapeWalk) throws(MeshError) -> Bool {
    var failure: MeshShapeError?
    do throws(MeshShapeError) { try walk.check(message: text) } catch { failure = error }
    if failure == nil, walk.isPlain { return true }
    do throws(JSONError) {
      try JSONScanner.validate(text)
    } catch {
      throw .notAMeshMessage(from: nil, error.message(in: "message"))
    }
    if let failure { throw .notAMeshMessage(from: nil, failure.message) }
    return false
  }

  private static func check(_ text: Span<UInt8>) throws(MeshError) {
    var walk = MeshShapeWalk()
    _ = try check(text, by: &walk)
  }

  /// Reads one JSON text.
  package init(parsing text: Span<UInt8>) throws(MeshError) {
    try Self.check(text)
    // The text has just been validated.
    guard let value = try? JSONValue(parsing: text) else { throw .notAMeshMessage(from: nil, "not JSON") }
    try self.init(checked: value)
  }

  /// Reads a value that appears in an event.
  init(_ value: JSONValue) throws(MeshError) {
    var text: [UInt8] = []
    value.append(to: &text)
    try self.init(parsing: text.span)
  }

  /// Reads a value that ``MeshShape`` has recognized as a message.
  private init(checked value: JSONValue) throws(MeshError) {
    guard let payload = value["intent"], let intent = payload["_0"] else {
      self = .stateUpdate(MeshSnapshot(value["stateUpdate"]?["_0"] ?? .null))
      return
    }
    let again = payload["again"]?.boolValue ?? false
    if let songID = intent["vote"]?["songID"]?.stringValue {
      self = .intent(.vote(songID: songID), again: again)
    } else if let song = MeshSong(intent["suggestSong"]?["_0"]) {
      self = .intent(.suggestSong(song), again: again)
    } else {
      throw .notAMeshMessage(from: nil, "not an intent")
    }
  }

  /// The message in its form on the wire.
  package var json: JSONValue {
    switch self {
    case .intent(let intent, again: false): ["intent": ["_0": intent.json]]
    case .intent(let intent, again: true): ["intent": ["_0": intent.json, "again": true]]
    case .stateUpdate(let snapshot): ["stateUpdate": ["_0": snapshot.json]]
    }
  }
}

extension MeshIntent {
  var json: JSONValue {
    switch self {
    case .vote(let songID): ["vote": ["songID": .string(songID)]]
    case .suggestSong(let song): ["suggestSong": ["_0": song.json]]
    }
  }
}

extension MeshMessage {
  /// The message on one line, in its original spelling, with all its members, even unknown ones.
  package static func checked(_ text: Span<UInt8>) throws(MeshError) -> [UInt8] {
    try check(text)
    return text.withoutLineBreaks(text.onlyValue)
  }

  /// As above, in the form that other apps read: a peer's name becomes `name` if it was `displayName`.
  package static func encoded(_ text: Span<UInt8>) throws(MeshError) -> [UInt8] {
    let line = try checked(text)
    guard let value = try? JSONValue(parsing: line.span) else { return line }
    let respelled = MeshShape.message.respelled(value)
    if respelled == value { return line }
    var bytes: [UInt8] = []
    respelled.append(to: &bytes)
    return bytes
  }
}
