/// How much a terminal shows.
package struct TerminalSize: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  /// Nil where standard output is no terminal, or one that does not say.
  package static var ofStandardOutput: TerminalSize? {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
