package import JSONLines
package import SystemIO

/// The lines of an input, as they arrive.
package enum InputLines {
  /// Passes each nonblank line with its number to `body`; flushes the output before a read that would block.
  ///
  /// `pause` is called before each read.
  package static func forEach(
    of path: String, flushing output: inout ByteOutput,
    pause: (borrowing ByteInput) throws -> Void = { _ in },
    _ body: (Span<UInt8>, Int, inout ByteOutput) throws -> Void
  ) throws {
    let input = try ByteInput(opening: path)
    var window = ByteWindow()
    var lines = LineCursor()
    var isFinal = false
    while !isFinal {
      try pause(input)
      isFinal = try input.read(into: &window, flushing: &output) == 0
      let (storage, range) = (window.storage, window.range)
      let unread = storage.span.extracting(range)
      while let line = lines.next(in: unread, final: isFinal) {
        let text = unread.extracting(line.content)
        if text.count > LineCursor.longestLine { throw Diagnostic.longLine(in: path, line: line.number) }
        if !text.isBlankLine { try body(text, line.number, &output) }
      }
      if unread.count - lines.position > LineCursor.longestLine {
        throw Diagnostic.longLine(in: path, line: lines.nextNumber)
      }
      window.consume(lines.position)
      lines.drop(lines.position)
    }
  }

  /// Like ``forEach(of:flushing:pause:_:)`` for several files; after an error or a signal, earlier output is
  /// kept.
  package static func forEach(
    ofAll paths: [String], flushing output: inout ByteOutput,
    pause: (borrowing ByteInput) throws -> Void = { _ in },
    _ body: (String, Span<UInt8>, Int, inout ByteOutput) throws -> Void
  ) throws {
    do {
      for path in paths.isEmpty ? ["-"] : paths {
        try forEach(of: path, flushing: &output, pause: pause) { line, number, output in
          try body(path, line, number, &output)
        }
      }
    } catch {
      try? output.flush()
      throw error
    }
    try output.flush()
  }
}

extension InputLines {
  /// All bytes of an input, up to `limit`.
  package static func contents(of path: String, limit: Int) throws -> ArraySlice<UInt8> {
    let input = try ByteInput(opening: path)
    var window = ByteWindow()
    var lines = LineCursor()
    var output = ByteOutput.standardOutput
    while try input.read(into: &window, flushing: &output) > 0 {
      let (storage, range) = (window.storage, window.range)
      let text = storage.span.extracting(range)
      while let line = lines.next(in: text, final: false) {
        if line.content.count > LineCursor.longestLine {
          throw Diagnostic.longLine(in: path, line: line.number)
        }
      }
      if text.count - lines.position > LineCursor.longestLine {
        throw Diagnostic.longLine(in: path, line: lines.nextNumber)
      }
      if text.count > limit { throw SystemError.tooLarge(path) }
    }
    return window.storage[window.range]
  }
}

extension Diagnostic {
  /// The error for a line that is too long; without a limit, an input without line ends would use all memory.
  package static func longLine(in file: String, line: Int) -> Diagnostic {
    Diagnostic(
      .lineTooLarge, "a line is longer than \(LineCursor.longestLine >> 20) MiB", file: file, line: line,
      hint:
        "write each record on its own line: with jq -c . for JSON, or jq -c '.[]' for an array")
  }
}
