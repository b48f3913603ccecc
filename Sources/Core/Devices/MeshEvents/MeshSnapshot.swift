package import JSONLines

/// The state that the host shows to its guests.
public struct MeshSnapshot: Hashable, Sendable {
  /// A song in the queue.
  public struct Entry: Hashable, Sendable {
    /// The id, which distinguishes entries, even of a song that returns to the queue.
    public var id: String
    /// The song.
    public var song: MeshSong
    /// The peer that suggested it.
    public var addedBy: MeshPeer
    /// The ids of its voters, in the order of their votes.
    public var voters: [String]

    /// An entry of the queue.
    public init(id: String, song: MeshSong, addedBy: MeshPeer, voters: [String]) {
      self.id = id
      self.song = song
      self.addedBy = addedBy
      self.voters = voters
    }
  }

  /// The last song taken from the queue.
  public var nowPlaying: MeshSong?
  /// Whether the song is being played.
  public var isPlaying = false
  /// The waiting entries, the next one first.
  public var queue: [Entry] = []
  /// The guests, in the order in which they connected.
  public var connectedPeers: [MeshPeer] = []
  /// The song that this change has removed from the queue.
  public var removedSong: MeshSong?
  /// Counts the snapshots of one run of a host; nil from the first apps.
  public var sequence: Int?

  /// A state with an empty queue and without guests.
  public init() {}
}

extension MeshSnapshot {
  /// Reads a value that ``MeshShape`` has recognized as a snapshot.
  init(_ value: JSONValue) {
    nowPlaying = MeshSong(value["nowPlaying"])
    isPlaying = value["isPlaying"]?.boolValue ?? false
    queue = (value["queue"]?.arrayValue ?? []).compactMap { Entry($0) }
    connectedPeers = (value["connectedPeers"]?.arrayValue ?? []).compactMap { MeshPeer($0) }
    removedSong = MeshSong(value["removedSong"])
    sequence = value["sequence"]?.intValue
  }

  package var json: JSONValue {
    var members: [JSONMember] = []
    if let nowPlaying { members.append(.init("nowPlaying", nowPlaying.json)) }
    members.append(.init("isPlaying", .bool(isPlaying)))
    members.append(.init("queue", .array(queue.map { $0.json })))
    members.append(.init("connectedPeers", .array(connectedPeers.map { $0.json })))
    if let removedSong { members.append(.init("removedSong", removedSong.json)) }
    if let sequence { members.append(.init("sequence", .integer(sequence))) }
    return .object(members)
  }
}

extension MeshSnapshot.Entry {
  init?(_ value: JSONValue) {
    guard let id = value["id"]?.stringValue, let song = MeshSong(value["song"]),
      let peer = value["addedBy"].flatMap({ MeshPeer($0) })
    else { return nil }
    self.init(
      id: id, song: song, addedBy: peer, voters: (value["voters"]?.arrayValue ?? []).compactMap(\.stringValue)
    )
  }

  var json: JSONValue {
    [
      "id": .string(id), "song": song.json, "addedBy": addedBy.json,
      "voters": .array(voters.map { .string($0) }),
    ]
  }
}

/// A piece of music that can be suggested, voted for and played.
public struct MeshSong: Hashable, Sendable {
  /// The id, which distinguishes songs.
  public var id: String
  /// The title, for people.
  public var title: String
  /// The artist, for people.
  public var artist: String
  /// The URL of a picture, if it exists.
  public var albumArtURL: String?
  /// The duration in seconds.
  public var duration: Double { Double(durationText) ?? 0 }
  /// The duration in seconds, in its form on the wire: a JSON number.
  private let durationText: String

  /// The number of bytes of its texts.
  var textCount: Int {
    [id, title, artist, albumArtURL ?? "", durationText].reduce(0) { $0 + $1.utf8.count }
  }

  /// Whether both have the same id byte for byte, and otherwise equal members.
  public static func == (a: MeshSong, b: MeshSong) -> Bool {
    a.hasID(b.id) && a.title == b.title && a.artist == b.artist && a.albumArtURL == b.albumArtURL
      && a.durationText == b.durationText
  }

  /// Whether this is the song's id, byte for byte; a string also equals other spellings of its characters.
  func hasID(_ other: String) -> Bool { id.utf8.elementsEqual(other.utf8) }

  /// A song with all its members; `duration` is in seconds, and finite.
  public init(id: String, title: String, artist: String, albumArtURL: String? = nil, duration: Double) {
    precondition(duration.isFinite, "a duration that JSON can express")
    let text = "\(duration)"
    self.init(id, title, artist, albumArtURL, text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  private init(_ id: String, _ title: String, _ artist: String, _ albumArtURL: String?, _ duration: String) {
    (self.id, self.title, self.artist, self.albumArtURL) = (id, title, artist, albumArtURL)
    durationText = duration
  }
}

extension MeshSong {
  /// Reads a value that ``MeshShape`` has recognized as a song.
  init?(_ value: JSONValue?) {
    guard let value, let id = value["id"]?.stringValue, let title = value["title"]?.stringValue,
      let artist = value["artist"]?.stringValue, case .number(let duration)? = value["duration"]
    else { return nil }
    self.init(id, title, artist, value["albumArtURL"]?.stringValue, duration)
  }

  /// Reads a song that appears in a command.
  init(checking value: JSONValue) throws(MeshError) {
    // A message with this song, because the check of messages includes songs.
    let message: JSONValue = ["intent": ["_0": ["suggestSong": ["_0": value]]]]
    guard case .intent(.suggestSong(let song), again: _) = try MeshMessage(message) else {
      throw .wrongType("song", expected: "a song")
    }
    self = song
  }

  var json: JSONValue {
    var members: [JSONMember] = [
      .init("id", .string(id)), .init("title", .string(title)), .init("artist", .string(artist)),
    ]
    if let albumArtURL { members.append(.init("albumArtURL", .string(albumArtURL))) }
    members.append(.init("duration", .number(durationText)))
    return .object(members)
  }
}
