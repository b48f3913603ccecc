package import JSONLines
import SyncCore

/// Writes the messages in one direction of a connection as lines while their bytes pass.
///
/// A line is an envelope of `frame decode --annotate` with further members in front. Secrets that prove a
/// pairing are replaced by `"…"`.
package struct MessageTrace: Sendable {
  private var reader: FrameReader
  private var bytes: [UInt8] = []
  /// The offset of the first byte of `bytes` in the direction.
  private var base = 0

  package init() {
    var options = FrameReader.Options()
    options.annotates = true
    reader = FrameReader(FrameDecoder(prefix: .u32be, limit: Self.longest), options)
  }

  /// The longest frame, in bytes; a longer frame is invalid, and reading stops there.
  private static let longest = 64 << 20

  /// The lines of messages that are now complete, each with these members first; `isFinal` marks the last
  /// bytes.
  package mutating func lines(
    after more: Span<UInt8>, isFinal: Bool = false, _ members: [JSONMember]
  ) -> [UInt8] {
    bytes.append(more)
    let all = bytes
    var (found, start, isAgain) = ([UInt8](), 0, true)
    while isAgain {
      let step = reader.process(
        all.span.extracting(start..<all.count), at: base + start, isFinal: isFinal, into: &found)
      start += step.consumed
      isAgain = step.failure != nil || all.count - start >= step.wanted
    }
    // The bytes of a long message are not moved until the message is complete.
    guard start > 0 else { return [] }
    bytes = Array(all[start...])
    base += start
    var lines: [UInt8] = []
    for line in found.split(separator: 10) { Self.append(Array(line), members, to: &lines) }
    return lines
  }

  /// Appends an envelope with `members` before its own members.
  private static func append(_ line: [UInt8], _ members: [JSONMember], to lines: inout [UInt8]) {
    JSONValue.object(members).append(to: &lines)
    if !members.isEmpty, lines.popLast() != nil { lines.append(UInt8(ascii: ",")) }
    var start = 1
    for secret in line.span.values(ofMembers: MessageMembers.secretNames) {
      lines += line[start..<secret.lowerBound]
      lines += "\"…\"".utf8
      start = secret.upperBound
    }
    lines += line[start...]
    lines.append(10)
  }
}
