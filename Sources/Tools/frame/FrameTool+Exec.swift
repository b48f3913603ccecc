import Captures
import JSONLines
import CommandLine
import Pairing
import SyncCore
import SystemIO

extension FrameTool {
  /// Runs the command between a reader and a writer of frames.
  static func runExec(_ settings: ExecSettings, on console: Console) throws -> ExitStatus {
    var options = FrameReader.Options()
    options.form = settings.framing.form
    var reader = FrameReader(settings.framing.decoder, options)
    var writer = settings.framing.writer
    var relay = Relay(try ChildProcess.start(settings.command))
    var failed: ExitStatus?
    // The frame to send to the other side as soon as the command has ended.
    var refusal: [UInt8] = []
    let status = try relay.run(
      inbound: { window, isFinal, bytes in
        guard let failure = reader.run(&window, isFinal, into: &bytes) else { return true }
        failed = console.report(Diagnostic(lost: failure) ?? Diagnostic(failure, in: "-"))
        if failure.isTooLarge { refusal = Self.refusal(of: failure, settings.framing.prefix) }
        return false
      },
      outbound: { window, isFinal, bytes in
        let found = writer.run(&window, isFinal, into: &bytes)
        // Long output takes several calls, also at the end.
        if isFinal, found != nil || window.isEmpty { bytes += refusal }
        guard let failure = found else { return true }
        failed = console.report(Diagnostic(failure, in: settings.command[0]))
        return false
      })
    return failed ?? ExitStatus(rawValue: status)
  }

  /// On a link of `peerlink`, the frame that reports a message too large to pass to the command; else empty.
  private static func refusal(of failure: FrameFailure, _ prefix: FramePrefix) -> [UInt8] {
    guard let text = Environment.value(LinkVariable.version.rawValue),
      let version = Int(text).flatMap(ProtocolVersion.init)
    else { return [] }
    // The id only distinguishes messages, so it need not be secret.
    let id = UUIDText(random: (0..<16).map { _ in UInt8.random(in: 0...255) })
    let error = PeerError(.frameTooLarge, failure.message)
    var frame: [UInt8] = []
    let line = Message(
      id: id, version: version, sentAt: Instant(clock: SystemClock.wallTime()), inReplyTo: nil,
      body: .error(error)
    ).line
    prefix.appendHeader(length: line.count, to: &frame)
    return frame + line
  }
}

extension FrameFailure {
  fileprivate var isTooLarge: Bool { if case .framing(.tooLarge) = reason { true } else { false } }
}

extension Diagnostic {
  /// The diagnostic for an end inside a frame, which for a connection can be retried; nil for other failures.
  fileprivate init?(lost failure: FrameFailure) {
    switch failure.reason {
    case .framing(let error) where error.isTruncation:
      self.init(
        .connectionLost, "the connection ended inside a frame: \(error.message)", file: "-",
        offset: failure.offset)
    default: return nil
    }
  }
}

extension FrameTransform {
  /// Processes the bytes of the window, up to the first failure, and until there is much output.
  fileprivate mutating func run(
    _ window: inout ByteWindow, _ isFinal: Bool, into bytes: inout [UInt8]
  ) -> FrameFailure? {
    let step = process(
      window.storage.span.extracting(window.range), at: window.consumed, isFinal: isFinal, into: &bytes)
    window.consume(step.consumed)
    return step.failure
  }
}
