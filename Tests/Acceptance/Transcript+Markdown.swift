extension Transcript {
  /// Reads a document: `console` blocks are steps, a block with a name after its language is a file.
  init(markdown text: String) throws(NotationError) {
    source = text.textLines
    needs = source.flatMap { Self.programs(in: $0, after: "<!-- needs:") }
    var index = 0
    while index < source.count {
      guard let fence = Fence(opening: source[index]) else {
        index += 1
        continue
      }
      guard let end = source[(index + 1)...].firstIndex(where: fence.isClosed) else {
        throw NotationError(problem: .unclosedBlock, line: index + 1)
      }
      try append(fence, index + 1..<end)
      index = end + 1
    }
  }

  private mutating func append(_ fence: Fence, _ body: Range<Int>) throws(NotationError) {
    if fence.info == ["console"] {
      try appendSteps(in: body, indentation: fence.indentation)
    } else if fence.info.count == 2, fence.info[1].utf8.allSatisfy(Fence.isNameByte) {
      let lines = source[body].map { $0.dropFirst(min(fence.indentation.count, $0.count)) + "\n" }
      try appendFile(
        File(name: fence.info[1], text: lines.joined(), line: body.lowerBound, step: steps.count))
    }
  }

  /// A reader pastes the page from top to bottom, so a file must come before the commands that name it.
  private mutating func appendFile(_ file: File) throws(NotationError) {
    guard !steps.contains(where: { $0.names(file.name) }) else {
      throw NotationError(problem: .fileAfterUse, line: file.line)
    }
    try append(file)
  }
}

extension Transcript.Step {
  /// Whether one of the command's words is the name of a file, with or without `./`.
  fileprivate func names(_ file: String) -> Bool {
    command.split { !$0.utf8.allSatisfy(Fence.isNameByte) }.contains { $0 == file || $0 == "./\(file)" }
  }
}

/// The line that opens a fenced code block.
struct Fence: Equatable {
  var indentation: String
  var length: Int
  /// The words after the backquotes.
  var info: [String]

  init?(opening line: String) {
    let text = line.drop { $0 == " " }
    length = text.prefix { $0 == "`" }.count
    guard length >= 3 else { return nil }
    indentation = String(line.prefix(line.count - text.count))
    info = text.dropFirst(length).split(separator: " ").map(String.init)
  }

  func isClosed(by line: String) -> Bool {
    guard let fence = Fence(opening: line) else { return false }
    return fence.length >= length && fence.info.isEmpty
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "._-/".utf8.contains(byte)
    }
  }
}
