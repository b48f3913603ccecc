/// A shell session as text: commands with their expected output, and the files that they read.
///
/// A `.trn` file and a Markdown document both become one; Cases/notation.trn shows the notation.
struct Transcript: Equatable {
  /// One command and its output, in the notation of `Outcome.rendering`.
  struct Step: Equatable {
    var command: String
    /// 1-based, of the `$` line.
    var line: Int
    var expected: [String]
    /// The place of `expected` in `source`.
    var place: Range<Int>
    /// The text before each line of the block in a document.
    var indentation = ""
  }

  struct File: Equatable {
    var name: String
    var text: String
    /// 1-based.
    var line: Int
    /// The index of the step before which it is written: in a document, the next one on the page.
    var step = 0
  }

  /// The lines of the whole transcript file or document.
  var source: [String]
  var steps: [Step] = []
  var files: [File] = []
  /// Programs besides the tools and POSIX without which the commands cannot run.
  var needs: [String] = []

  /// The files to write just before a step.
  func files(before step: Int) -> [File] { files.filter { $0.step == step } }

  /// The source with each step's expected lines replaced, first step first.
  func updated(with renderings: [[String]]) -> [String] {
    var lines = source
    for (step, rendering) in zip(steps, renderings).reversed() {
      lines.replaceSubrange(step.place, with: rendering.map { $0.isEmpty ? $0 : step.indentation + $0 })
    }
    return lines
  }
}

/// An error in the notation, at a 1-based line.
struct NotationError: Error, Equatable {
  enum Problem: Equatable {
    case outputBeforeCommand, badFileName, duplicateFile, unclosedBlock, fileAfterUse
  }
  var problem: Problem
  var line: Int
}

extension StringProtocol {
  /// Lines without their line feeds; a carriage return stays, which splitting by `Character` would hide.
  var textLines: [String] {
    var lines = Array(utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }
}
