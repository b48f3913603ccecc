import JSONLines

/// A piece of music that is suggested, voted for and played.
public struct MeshSong: Hashable, Sendable {
  /// Tells songs apart.
  public var id: String
  /// As people read it.
  public var title: String
  /// As people read it.
  public var artist: String
  /// Where a picture is, if there is one.
  public var albumArtURL: String?
  /// In seconds, as it is written on the wire.
  public var duration: String

  /// A song with all that is known of it.
  public init(id: String, title: String, artist: String, albumArtURL: String? = nil, duration: String) {
    self.id = id
    self.title = title
    self.artist = artist
    self.albumArtURL = albumArtURL
    self.duration = duration
  }
}

extension MeshSong {
  /// Reads what ``MeshShape`` has found to be a song.
  init?(_ value: JSONValue?) {
    guard let value, let id = value["id"]?.stringValue, let title = value["title"]?.stringValue,
      let artist = value["artist"]?.stringValue, case .number(let duration)? = value["duration"]
    else { return nil }
    self.init(
      id: id, title: title, artist: artist, albumArtURL: value["albumArtURL"]?.stringValue, duration: duration
    )
  }

  /// Reads a song that stands in a command.
  init(checking value: JSONValue) throws(MeshError) {
    // The message that it would be sent in says what a song is.
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
    members.append(.init("duration", .number(duration)))
    return .object(members)
  }
}
