@testable import Crypto
import Foundation
@testable import Links
@testable import Sessions
import Store
import SyncCore

/// A speaker with a store of its own, whose other side and whose time are those of the test.
final class SpeakerTrial {
  let speaker: DialogueSpeaker
  let sessions: SessionSettings
  private(set) var now = Duration.seconds(1_000)
  private let path: String
  private var frames = FrameExchange(limit: 16 << 20)

  private static let digest = (try? RecordShape().rulesDigest()) ?? ""
  private static let present = Instant("2026-01-01T08:00:00Z")!

  /// `prepare` is called with the path of the store before the dialogue begins.
  init(
    _ part: DialogueSpeaker.Part, wait: Duration = .seconds(10), prepare: (String) throws -> Void = { _ in }
  ) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "speaker-\(UUID().uuidString).db").path
    sessions = SessionSettings(
      RuleChoice(RecordShape(), hasProfile: true, entityName: nil), store: path, wait: wait,
      patience: .seconds(30), present: { Self.present }, wireTypes: { (WireTypes(), { _ in }, { nil }) })
    speaker = DialogueSpeaker(sessions, part, try OpenStore(sessions))
    try prepare(path)
    speaker.begin(
      LinkFacts(
        version: .two, peer: LinkPeer(peerId: "phone", deviceName: "Phone"), fingerprint: nil, exporter: nil,
        remote: "192.0.2.7:1", selfId: "laptop", selfName: "Laptop"), at: now)
  }

  deinit { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }

  /// Another connection, which may lock the store.
  func otherConnection() throws -> Database { try Database(path, wait: .zero) }

  /// What the store keeps aside.
  func quarantined() throws -> [QuarantinedLine] {
    var kept: [QuarantinedLine] = []
    try ChangeStore(path, creating: false, wait: .seconds(10)).forEachQuarantined { kept.append($0) }
    return kept
  }

  func quarantinedKeys() throws -> [[UInt8]] {
    try ChangeStore(path, creating: false, wait: .seconds(10)).quarantinedKeys(upTo: 1 << 20) ?? []
  }

  func pass(_ time: Duration) {
    now += time
    speaker.advance(at: now)
  }

  /// The whole messages that the speaker has said since the last call.
  func said() -> [Message] {
    while speaker.hasOutput {
      let piece = speaker.takeOutput(1 << 20, at: now)
      frames.append(piece.span)
    }
    var messages: [Message] = []
    while case .message(let message)? = frames.next() { messages.append(message) }
    return messages
  }

  func say(_ body: Message.Body, inReplyTo id: UUIDText? = nil) {
    let bytes = Self.frame(body, inReplyTo: id)
    speaker.hear(bytes.span, at: now)
  }

  static func frame(_ body: Message.Body, inReplyTo id: UUIDText? = nil) -> [UInt8] {
    var frames = FrameExchange(limit: 16 << 20)
    let stamp = UUIDText("00000000-0000-4000-8000-000000000001")!
    frames.send(
      Message(id: stamp, version: .two, sentAt: .epoch, inReplyTo: id, body: body))
    return frames.take(.max >> 1)
  }

  static func request(waitSeconds: Int = 0, window: Int = 1) -> Message.Body {
    var request = SyncRequest(peerId: "phone", deviceName: "Phone", rulesDigest: digest)
    (request.waitSeconds, request.window) = (waitSeconds, window)
    return .syncRequest(request)
  }

  static func page(_ number: Int, hasMore: Bool) -> Message.Body {
    let line =
      #"{"entityName":"","identity":{"id":"\#(number)"},"modifiedAt":"2025-05-01T00:00:00.000Z","fields":{}}"#
    return .syncResponse(
      SyncResponse(
        peerId: "phone", deviceName: "Phone", content: .lines(Array((line + "\n").utf8)),
        token: Array("\(number)".utf8), hasMore: hasMore))
  }

  static func page(_ number: Int, lines: String) -> Message.Body {
    .syncResponse(
      SyncResponse(
        peerId: "phone", deviceName: "Phone", content: .lines(Array(lines.utf8)),
        token: Array("\(number)".utf8)))
  }

  static func ack(_ token: [UInt8] = [], yourTurn: Bool = false) -> Message.Body {
    .ack(SyncAck(peerId: "phone", token: token, yourTurn: yourTurn))
  }
}
