import Captures
import CommandLine
import JSONLines
import SyncCore
import SystemIO

/// The messages that two sides have sent, in the order of their times.
///
/// A trace also has received messages. They are removed, because the other side's trace has them as sent
/// messages. The lines of a side keep their order: a line without a time, or with an earlier time than the
/// line before, gets the time of that line.
struct SideLines {
  private struct Line {
    var text: [UInt8]
    var number: Int
    var place: MessagePlace?
    var time: Instant?
  }

  private var lines: [Line] = []
  private var next = 0

  private init(_ path: String) throws {
    var nothing = ByteOutput.standardOutput
    var latest: Instant?
    try InputLines.forEach(of: path, flushing: &nothing) { text, number, _ in
      let place = ConversationLine.place(of: text)
      latest = [latest, place?.time].compactMap(\.self).max()
      var copy: [UInt8] = []
      copy.append(text)
      lines.append(Line(text: copy, number: number, place: place, time: latest))
    }
    // If a file has only received messages, they are the other side's messages, so they are kept.
    if lines.contains(where: { $0.place?.direction == .sent }) {
      lines.removeAll { $0.place?.direction == .received }
    }
  }

  /// Passes the lines in the order of time; at equal times, those of the first side come first.
  static func forEach(
    of sides: [FrameTool.Side], _ body: (Span<UInt8>, Int, FrameTool.Side) throws -> Void
  ) throws {
    var inputs = try sides.map { try SideLines($0.path) }
    while let index = first(of: inputs) {
      let line = inputs[index].lines[inputs[index].next]
      inputs[index].next += 1
      try body(line.text.span, line.number, sides[index])
    }
  }

  private static func first(of inputs: [SideLines]) -> Int? {
    let open = inputs.indices.filter { inputs[$0].next < inputs[$0].lines.count }
    return open.min { a, b in
      (time(inputs[a]), a) < (time(inputs[b]), b)
    }
  }

  private static func time(_ input: SideLines) -> Instant { input.lines[input.next].time ?? .epoch }
}
