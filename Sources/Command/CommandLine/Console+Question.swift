import JSONLines
package import SystemIO

extension Console {
  /// Whether there is somebody to ask.
  package var canAsk: Bool { isTerminal && Descriptor.standardInput.isTerminal }

  /// Asks a person and waits for the answer at most until `deadline` on the monotonic clock; silence is no.
  ///
  /// Throws where a signal comes first.
  package func confirm(_ question: String, until deadline: Duration) throws(SystemError) -> Bool {
    guard canAsk else { return false }
    write("\(blankLine)\(tool): \(question.escapingControls) [y/N] ")
    var lines = LineChannel(.standardInput, .standardError, limit: 1_024)
    guard case .line(let answer) = try lines.receive(until: deadline) else { return false }
    return ["y", "yes"].contains(String(decoding: answer, as: UTF8.self).lowercased())
  }
}
