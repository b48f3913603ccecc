/// A descriptor that is read piece by piece, while output waits no longer than it must.
package struct ByteInput: ~Copyable {
  private let source: Descriptor
  private let isStream: Bool
  package var name: String { source.name }

  package init(_ source: consuming Descriptor) {
    isStream = source.kind == .stream
    self.source = source
    Readiness.widenPipe(self.source.raw)
  }

  package init(opening path: String) throws(SystemError) {
    self.init(try Descriptor.reading(path))
  }

  /// Appends what is there to `window`; 0 is the end.
  ///
  /// Where the read would block, `output` is flushed first, so that a pipe is live and still writes large
  /// pieces. SIGINT or SIGTERM ends the wait as an error whose `isInterruption` holds.
  package func read(into window: inout ByteWindow, flushing output: inout ByteOutput) throws(SystemError)
    -> Int
  {
    if isStream, !Readiness.isReadable(source.raw) {
      try output.flush()
      Readiness.waitUntilReadable(source.raw)
    }
    if Interruption.pending != nil { throw SystemError(.read, name, code: EINTR) }
    return try window.fill(from: source)
  }

  /// The whole input as one array.
  package static func contents(of path: String) throws(SystemError) -> [UInt8] {
    let source = try Descriptor.reading(path)
    var window = ByteWindow(capacity: max(source.size + 1, 256 << 10))
    let isStream = source.kind == .stream
    while true {
      if isStream { Readiness.waitUntilReadable(source.raw) }
      if Interruption.pending != nil { throw SystemError(.read, path, code: EINTR) }
      if try window.fill(from: source) == 0 { return window.takeContents() }
    }
  }
}
