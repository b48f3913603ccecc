package import Crypto
package import SyncCore
import SystemIO

/// The local end of a link within this process, instead of a program.
///
/// Its functions do not wait or throw. After an error, a speaker stores the error for its owner, and ends.
/// All times are on the monotonic clock.
package protocol Speaker: AnyObject {
  /// Called once when the link is open, before all other functions.
  func begin(_ facts: LinkFacts, at now: Duration)
  /// Whether the speaker accepts input now; otherwise the input waits.
  var isListening: Bool { get }
  /// Handles input from the other side.
  func hear(_ bytes: Span<UInt8>, at now: Duration)
  /// Handles the end of the other side's input.
  func hearEnd(at now: Duration)
  /// Does all due work; called whenever the link is inspected.
  func advance(at now: Duration)
  /// Requests a stop after a signal: the speaker finishes pending work.
  func stop(at now: Duration)
  /// The time when `advance` has work to do.
  var deadline: Duration? { get }
  /// A descriptor that is readable when `advance` has work to do.
  var alarm: CInt? { get }
  /// Whether output is waiting.
  var hasOutput: Bool { get }
  /// Removes and returns the next waiting bytes, at most `limit`.
  func takeOutput(_ limit: Int, at now: Duration) -> [UInt8]
  /// Whether the output has ended, except for waiting bytes.
  var isDone: Bool { get }
  /// Whether the speaker ended without success and may reconnect; then a scanner does not send
  /// `close_notify`.
  var hasGivenUp: Bool { get }
}

extension Speaker {
  package var isListening: Bool { true }
  package var hasGivenUp: Bool { false }
}

/// The facts known about a link once it is open.
package struct LinkFacts: Sendable {
  package var version: ProtocolVersion
  /// The other side, if it is trusted.
  package var peer: LinkPeer?
  /// The key that the other side has proved; nil over version 1.
  package var fingerprint: KeyFingerprint?
  /// The keying material that binds a proof to this session; nil over version 1.
  package var exporter: [UInt8]?
  /// The address of the other side.
  package var remote: String
  /// Whether the messages are written to a trace, which contains them uncompressed.
  package var isTraced = false
  package var selfId: String
  package var selfName: String
}

/// A speaker as an end of a relay.
final class SpeakerEnd: RelaySource, RelaySink {
  let speaker: any Speaker
  /// The monotonic time that the speaker receives with the bytes that are passed on.
  var now = Duration.zero
  /// The maximum number of bytes that are taken at once.
  private static let portion = 64 << 10

  init(_ speaker: any Speaker) { self.speaker = speaker }

  /// Whether a read would return bytes, or the end.
  var isReadable: Bool { speaker.hasOutput || speaker.isDone }

  func readAvailable(into window: inout ByteWindow) throws -> Int? {
    guard speaker.hasOutput else { return speaker.isDone ? 0 : nil }
    let bytes = speaker.takeOutput(Self.portion, at: now)
    window.append(bytes)
    return bytes.count
  }

  /// Always false, because a speaker that is done ignores further bytes.
  var isBroken: Bool { false }

  func writeAvailable(_ bytes: Span<UInt8>) -> Int {
    if speaker.isDone { return bytes.count }
    guard speaker.isListening else { return 0 }
    speaker.hear(bytes, at: now)
    return bytes.count
  }

  func writeAll(_ bytes: Span<UInt8>) { _ = writeAvailable(bytes) }
}
