import JSONLines
import CommandLine
import CommonInputs
import Pairing
import SyncCore
import SystemIO
import RecordInputs

/// The choices for a dialogue, from the command line or from peerlink's environment variables.
struct DialogueChoices {
  var peer: String?
  var version: ProtocolVersion?
  var selfId: String?
  var selfName: String?
  var types: FilePath?
  var maxPage = ByteSize(bytes: DialogueSettings.defaultPage)
  var maxSize = ByteSize(bytes: DialogueSettings.longestMessage)
  var timeout = Duration.seconds(60)
  var mixesEntities = false

  /// The names of both sides and the protocol version.
  struct Connection {
    var version: ProtocolVersion
    var peer: String
    var selfId: String
    var selfName: String
  }

  /// Throws if neither option nor variable names the other side, or if they differ.
  func connection() throws -> Connection {
    let peer = try agreed(peer, .peerId) { known, wanted in
      Diagnostic(.untrustedPeer, "the connection is with '\(known)', not with '\(wanted)'")
    }
    let version = try agreed(version.map { "\($0.rawValue)" }, .version) { known, wanted in
      Diagnostic(.otherProtocolVersion, "the connection uses version '\(known)', not '\(wanted)'")
    }
    let selfId = try agreed(selfId, .selfId) { known, wanted in
      Diagnostic(.untrustedPeer, "this side is '\(known)' on the connection, not '\(wanted)'")
    }
    guard let peer, let version, let selfId else {
      throw UsageError.conflict("without peerlink, '--peer', '--protocol' and '--self-id' are required")
    }
    guard let version = ProtocolVersion(argument: version) else {
      throw Diagnostic(.otherProtocolVersion, "version '\(version)' of the protocol is neither 1 nor 2")
    }
    if PeerID.areSame(peer, selfId) { throw Diagnostic(.untrustedPeer, "both sides have the id '\(peer)'") }
    let name = selfName ?? Environment.value(LinkVariable.selfName.rawValue) ?? selfId
    return Connection(version: version, peer: peer, selfId: selfId, selfName: name)
  }

  /// The value of the option or the variable; both must be equal if both are given.
  private func agreed(
    _ option: String?, _ variable: LinkVariable,
    _ difference: (_ known: String, _ wanted: String) -> Diagnostic
  ) throws -> String? {
    let option = option == "" ? nil : option
    guard let known = Environment.value(variable.rawValue) else { return option }
    if let option, !PeerID.areSame(option, known) { throw difference(known, option) }
    return known
  }
}

/// The choices of the side that sends the first request.
struct AskingChoices {
  var push = false
  var noPull = false
  var follow = false
  var round: Duration?
  var linger: Duration?

  func direction() throws -> DialogueSettings.Direction {
    if noPull, !push { throw UsageError.conflict("'--no-pull' needs '--push'") }
    if noPull, follow { throw UsageError.conflict("'--no-pull' and '--follow' cannot be used together") }
    if round != nil, !follow { throw UsageError.conflict("'--round' needs '--follow'") }
    return noPull ? .push : push ? .both : .pull
  }
}

/// Settings of a command that has a dialogue with a peer.
protocol DialogueConfigurable: RecordConfigurable, StoreConfigurable {
  var dialogue: DialogueChoices { get set }
}

extension Option where Settings: DialogueConfigurable {
  static var speaking: [Option] {
    storePlace + present + drift + maxDelete + dialogue + records
  }

  private static var dialogue: [Option] {
    [
      .value(
        "peer", named: "ID",
        "Use ID, which you have verified, as the id of the other side (default: from peerlink)."
      ) { $0.dialogue.peer = $1 },
      .value("protocol", "Use this version of the protocol, 1 or 2 (default: from peerlink).") {
        $0.dialogue.version = $1
      },
      .value("self-id", named: "ID", "Use ID as the id of this side (default: from peerlink).") {
        $0.dialogue.selfId = $1
      },
      .value(
        "self-name", named: "NAME",
        "Use NAME as the name of this side (default: from peerlink, otherwise the id)."
      ) {
        $0.dialogue.selfName = $1
      },
      .value(
        "types",
        "With protocol 1: keep in FILE the types that plain JSON cannot distinguish (default: the path of "
          + "the store plus .types). FILE has the form that deltadiff unpack writes."
      ) { $0.dialogue.types = $1 },
      .flag(
        "mix-entities", "Allow records with an entity and records without one in the same store."
      ) {
        $0.dialogue.mixesEntities = true
      },
      .value("max-page", "Send pages of up to SIZE, or of one longer line (default: 4M; at most 8M).") {
        $0.dialogue.maxPage = $1
      },
      .value("max-size", "Refuse messages above SIZE (default: 16M; at most 64M).") {
        $0.dialogue.maxSize = $1
      },
      .value("timeout", "Give up after this long with little or no traffic (default: 1m).") {
        $0.dialogue.timeout = $1
      },
    ]
  }
}
