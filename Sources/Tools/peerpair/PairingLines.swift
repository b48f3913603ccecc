import JSONLines
import Pairing
import SyncCore
import SystemIO

/// The messages of a pairing from standard input, a line each.
struct PairingLines: ~Copyable {
  /// The longest line that a pairing message may be, in bytes.
  static let longest = PairingGate.limit

  private var input = ByteInput(.standardInput)
  private var window = ByteWindow(capacity: 2 * longest)
  private let deadline: Duration
  private let version: ProtocolVersion
  private var hasEnded = false

  init(_ version: ProtocolVersion, timeout: Duration) {
    (self.version, deadline) = (version, SystemClock.monotonic() + timeout)
  }

  /// The next message; a side that says nothing for too long has gone away.
  mutating func next(flushing output: inout ByteOutput) throws(SystemError) -> PairingInput {
    while true {
      if let line = takeLine() { return line.isEmpty ? .unreadable(.notAnObject) : read(line) }
      if window.count > Self.longest { return .tooLarge }
      if hasEnded { return .end }
      guard let count = try input.read(into: &window, flushing: &output, until: deadline) else {
        return .timeOut
      }
      hasEnded = count == 0
    }
  }

  private func read(_ line: [UInt8]) -> PairingInput {
    if line.count > Self.longest { return .tooLarge }
    do throws(MessageError) {
      return .message(try Message(parsing: line.span, over: version))
    } catch {
      return .unreadable(error)
    }
  }

  /// A line without its LF; a last one without LF was cut off, and says nothing.
  private mutating func takeLine() -> [UInt8]? {
    let unread = window.storage[window.range]
    guard let end = unread.firstIndex(of: 10) else { return nil }
    let line = Array(unread[..<end])
    window.consume(line.count + 1)
    return line
  }
}
