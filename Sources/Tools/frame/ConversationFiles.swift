import Captures
import CommandLine
import SystemIO

/// The files of a conversation: one with all messages, or one per side.
struct ConversationFiles {
  var sides: [FrameTool.Side] = []
  var files: [String] = []

  /// One input without a name, or the two sides.
  func inputs() throws(UsageError) -> [FrameTool.Side] {
    guard !sides.isEmpty else { return [.init(name: nil, path: files.first ?? "-")] }
    guard files.isEmpty, sides.count == 2, sides[0].name != sides[1].name else {
      throw .conflict("'--side' must be given twice, with two names, and without other files")
    }
    return sides
  }

  /// Passes each line to `body`; the lines of two sides are ordered by time.
  static func forEachLine(
    of inputs: [FrameTool.Side], flushing output: inout ByteOutput,
    _ body: (Span<UInt8>, Int, FrameTool.Side, inout ByteOutput) throws -> Void
  ) throws {
    guard inputs.count > 1 else {
      return try InputLines.forEach(ofAll: [inputs[0].path], flushing: &output) { _, line, number, output in
        try body(line, number, inputs[0], &output)
      }
    }
    try SideLines.forEach(of: inputs) { line, number, side in try body(line, number, side, &output) }
  }
}

/// Settings of a command that reads a conversation.
protocol ConversationConfigurable: Sendable {
  var conversation: ConversationFiles { get set }
}

extension Option where Settings: ConversationConfigurable {
  static var side: [Option] {
    [
      .repeated(
        "side",
        "Read the messages of one side from FILE. Give this option twice; the messages of both sides are "
          + "ordered by time."
      ) { $0.conversation.sides.append($1) }
    ]
  }
}

extension Operands where Settings: ConversationConfigurable {
  static var conversation: Operands {
    Operands("[FILE]", count: 0...1) { $1.conversation.files = $0 }
  }
}

extension FrameTool {
  /// A file of messages, of one side if it has a name.
  struct Side: OptionValue, Equatable {
    var name: String?
    var path: String
    static var valueName: String { "NAME=FILE" }
    static var completion: OptionHelp.Completion { .file }
    static var expectation: String { "a name and a file such as phone=phone.jsonl" }
    var namedFile: String? { path }

    init(name: String?, path: String) { (self.name, self.path) = (name, path) }

    init?(argument: String) {
      let name = argument.utf8.prefix { $0 != UInt8(ascii: "=") }
      let path = argument.utf8.dropFirst(name.count + 1)
      guard !name.isEmpty, !path.isEmpty else { return nil }
      self.init(name: String(decoding: name, as: UTF8.self), path: String(decoding: path, as: UTF8.self))
    }

    /// The conversation of a message; nil for a named side, because each side numbers its own connections.
    func stream(of place: MessagePlace) -> Int? { name == nil ? place.stream : nil }
  }
}
