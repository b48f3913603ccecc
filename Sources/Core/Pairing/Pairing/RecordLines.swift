/// A line that is no record of its file, or one that contradicts an earlier one.
package struct RecordDamage: Error, Equatable, Sendable {
  /// 1-based.
  package var line: Int
  package var message: String
}

/// Text with a record a line, as it stands in one of our own files.
enum RecordLines {
  /// Hands over the lines that are not empty, in order.
  static func read(
    _ text: [UInt8], _ body: ([UInt8]) throws(RecordError) -> Void
  ) throws(RecordDamage) {
    for (index, line) in text.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      if line.isEmpty { continue }
      do throws(RecordError) {
        try body(Array(line))
      } catch {
        throw RecordDamage(line: index + 1, message: error.message)
      }
    }
  }
}
