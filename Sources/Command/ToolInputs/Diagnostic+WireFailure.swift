import JSONLines
import CommandLine
package import SyncCore

extension Diagnostic {
  /// A failure in a line, or in an entry that begins there.
  package init(_ failure: WireFailure, in file: String, line: Int? = nil) {
    self.init(failure, file: file, line: line)
  }

  /// A failure in a file that is one JSON text, where nothing can be lost; of one that is no JSON the line is told.
  package init(_ failure: WireFailure, in file: String, text: Span<UInt8>) {
    guard case .json(let error) = failure.error else {
      self.init(failure, in: file)
      hint = nil
      return
    }
    var lines = WireLines()
    let (line, failure) = lines.failure(error, in: text)
    self.init(failure, in: file, line: line)
  }
}
