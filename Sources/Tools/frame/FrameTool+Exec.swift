import CommandLineTool
import SyncCore
import SystemIO

extension FrameTool {
  /// Runs the command between a reader and a writer of frames.
  static func runExec(_ settings: Settings, on console: Console) throws -> ExitStatus {
    var options = FrameReader.Options()
    options.form = settings.form
    var reader = FrameReader(FrameDecoder(prefix: settings.prefix, limit: settings.maxSize.bytes), options)
    var writer = FrameWriter(prefix: settings.prefix, limit: settings.maxSize.bytes, form: settings.form)
    var relay = Relay(try ChildProcess.start(settings.operands))
    var failed: ExitStatus?
    let status = try relay.run(
      inbound: { window, isFinal, bytes in
        guard let failure = reader.run(&window, isFinal, into: &bytes) else { return true }
        failed = console.report(Diagnostic(lost: failure) ?? Diagnostic(failure, in: "-"))
        return false
      },
      outbound: { window, isFinal, bytes in
        guard let failure = writer.run(&window, isFinal, into: &bytes) else { return true }
        failed = console.report(Diagnostic(failure, in: settings.operands[0]))
        return false
      })
    return failed ?? ExitStatus(rawValue: status)
  }
}

extension Diagnostic {
  /// Of an end inside a frame: what comes in is a connection, and one that broke off can be made again.
  fileprivate init?(lost failure: FrameFailure) {
    switch failure.reason {
    case .framing(let error) where error.isTruncation:
      self.init(
        .connectionLost, "the connection ended inside a frame: \(error.message)", file: "-", offset: failure.offset)
    default: return nil
    }
  }
}

extension FrameTransform {
  /// Takes all that the window has, up to the first failure.
  fileprivate mutating func run(
    _ window: inout ByteWindow, _ isFinal: Bool, into bytes: inout [UInt8]
  ) -> FrameFailure? {
    let step = process(
      window.storage.span.extracting(window.range), at: window.consumed, isFinal: isFinal, into: &bytes)
    window.consume(step.consumed)
    return step.failure
  }
}
