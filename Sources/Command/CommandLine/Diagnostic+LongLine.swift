package import JSONLines

extension Diagnostic {
  /// A line that is longer than any tool takes: an input without line ends would take all memory.
  ///
  /// `offset` is where it begins, in bytes of the input.
  package static func longLine(in file: String, line: Int? = nil, offset: Int? = nil) -> Diagnostic {
    Diagnostic(
      .lineTooLarge, "a line is longer than \(LineCursor.longestLine >> 20) MiB", file: file, line: line,
      offset: offset,
      hint: "each record is a line of its own; 'jq -c .' writes JSON so, and 'jq -c .[]' those of an array")
  }
}
