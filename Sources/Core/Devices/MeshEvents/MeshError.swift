package import JSONLines

/// Why a line of callbacks, events or messages does not produce an event.
package enum MeshError: Explained, MemberFailure, Equatable, Sendable {
  case member(MemberError)
  /// A peer with both spellings of its name.
  case severalNames
  /// The data of a callback, or the text of a message, is not Base64.
  case invalidBase64(String)
  /// A peer has sent something other than a message: which peer, and why it is invalid.
  case notAMeshMessage(from: String?, String)
  /// A callback about an unknown handle.
  case unknownHandle(String)
  /// This many messages of a peer that was not connected, and the reason for dropping them.
  case unconnectedPeer(String, count: Int, reason: String)
  /// A handle gets another id while its peer is connected.
  case changedIdentity(from: String, to: String)
  /// A message that its receiver does not accept from this peer.
  case untrustedSender(String, String)
  /// Votes for songs that are not in the queue: the ids of the songs, and the voter unless it is this
  /// device's user.
  case droppedVotes([String], of: String?)
  /// A suggested song that is too long or over a limit: its id, and the peer.
  case droppedSong(String, of: String)
  /// A snapshot that is not newer than the previous one.
  case staleSnapshot(sequence: Int, last: Int)
}

extension MeshError {
  /// An id distinguishes peers, so it must not be empty.
  static var emptyID: MeshError { .member(MemberError(.wrong("empty"), at: ["id"])) }

  package var code: ErrorCode {
    switch self {
    case .member(let error): error.code
    case .severalNames: .duplicateMember
    case .invalidBase64: .invalidBase64
    case .notAMeshMessage: .notAMeshMessage
    case .unknownHandle: .unknownHandle
    case .unconnectedPeer: .unconnectedPeer
    case .changedIdentity: .changedIdentity
    case .untrustedSender: .untrustedSender
    case .droppedVotes: .droppedVote
    case .droppedSong: .droppedSong
    case .staleSnapshot: .staleSnapshot
    }
  }

  /// The error in words: lower-case, no final period.
  package var message: String {
    switch self {
    case .member(let error): error.message
    case .severalNames: "more than one of 'name' and 'displayName'"
    case .invalidBase64(let reason): "the data is not Base64: \(reason)"
    case .notAMeshMessage(let name?, let reason):
      "'\(name.shown)' has sent data that is not a message: \(reason)"
    case .notAMeshMessage(nil, let reason): reason
    case .unknownHandle(let callback): "'\(callback)' of an unknown handle"
    case .unconnectedPeer(let name, let count, let reason):
      "\(count == 1 ? "a message" : "\(count) messages") of '\(name.shown)', which \(reason)"
    case .changedIdentity(let old, let new):
      "a connected peer is now called '\(new.shown)': it stays '\(old.shown)' while it is connected"
    case .untrustedSender(let name, let reason): "'\(name.shown)' \(reason)"
    case .droppedVotes(let songs, let name):
      "a vote\(name.map { " of '\($0.shown)'" } ?? "") is dropped, because the queue does not have the song: "
        + songs.map { "'\($0.shown)'" }.joined(separator: ", ")
    case .droppedSong(let song, let name):
      "the song '\(song.shown)' of '\(name.shown)' is dropped, because it is too long, or too many are queued"
    case .staleSnapshot(let sequence, let last): "snapshot \(sequence) after snapshot \(last)"
    }
  }

  /// Whether a peer caused the error, which must then not end a run; otherwise the input is damaged.
  package var isOfPeers: Bool {
    switch self {
    case .member, .severalNames: false
    default: true
    }
  }
}
