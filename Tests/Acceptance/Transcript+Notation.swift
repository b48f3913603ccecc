import Foundation

extension Transcript {
  /// Reads a `.trn` file: the session, then `-- name --` lines with a file's text after each.
  ///
  /// In the session `$ ` starts a command and `> ` goes on with it; what follows is its output, `! ` before
  /// standard error, `? ` before a status other than 0; `#` starts a comment and ends the output, as the next
  /// command does. `# needs:` names programs without which the transcript is skipped.
  init(notation text: String) throws(NotationError) {
    source = text.textLines
    let end = source.firstIndex { Self.fileName(in: $0) != nil } ?? source.count
    needs = source[..<end].flatMap { Self.programs(in: $0, after: "# needs:") }
    try appendSteps(in: 0..<end)
    try appendFiles(from: end)
  }

  /// Reads the steps in some lines of `source`, of which each has `indentation`.
  mutating func appendSteps(in range: Range<Int>, indentation: String = "") throws(NotationError) {
    let first = steps.count
    var isOpen = false
    var isCommand = false
    for index in range {
      let line = String(source[index].dropFirst(min(indentation.count, source[index].count)))
      if line.hasPrefix("$ ") {
        steps.append(
          Step(
            command: String(line.dropFirst(2)), line: index + 1, expected: [],
            place: index + 1..<index + 1, indentation: indentation))
        (isOpen, isCommand) = (true, true)
      } else if isCommand, line.hasPrefix("> ") || line == ">" {
        steps[steps.count - 1].command += "\n" + line.dropFirst(2)
        steps[steps.count - 1].place = index + 1..<index + 1
      } else if line.hasPrefix("#") {
        (isOpen, isCommand) = (false, false)
      } else if isOpen {
        steps[steps.count - 1].append(line)
        isCommand = false
      } else if !line.isEmpty {
        throw NotationError(problem: .outputBeforeCommand, line: index + 1)
      }
    }
    for index in first..<steps.count { steps[index].dropTrailingBlankLines() }
  }

  private mutating func appendFiles(from start: Int) throws(NotationError) {
    for index in start..<source.count {
      if let name = Self.fileName(in: source[index]) {
        try append(File(name: name, text: "", line: index + 1))
      } else {
        files[files.count - 1].text += source[index] + "\n"
      }
    }
  }

  mutating func append(_ file: File) throws(NotationError) {
    let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw NotationError(problem: .badFileName, line: file.line)
    }
    guard !files.contains(where: { $0.name == file.name }) else {
      throw NotationError(problem: .duplicateFile, line: file.line)
    }
    files.append(file)
  }

  /// The names in a line such as `# needs: socat jq`.
  static func programs(in line: String, after label: String) -> [String] {
    guard line.hasPrefix(label) else { return [] }
    return line.dropFirst(label.count).split(separator: " ").map(String.init).filter { $0 != "-->" }
  }

  static func fileName(in line: String) -> String? {
    guard line.hasPrefix("-- "), line.hasSuffix(" --"), line.count > 6 else { return nil }
    return String(line.dropFirst(3).dropLast(3))
  }
}

extension Transcript.Step {
  fileprivate mutating func append(_ line: String) {
    expected.append(line)
    place = place.lowerBound..<place.upperBound + 1
  }

  /// Blank lines at the end only separate the steps; output that ends in one is escaped.
  fileprivate mutating func dropTrailingBlankLines() {
    while expected.last?.isEmpty == true {
      expected.removeLast()
      place = place.lowerBound..<place.upperBound - 1
    }
  }
}
