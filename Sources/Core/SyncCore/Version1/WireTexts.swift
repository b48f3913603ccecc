package import JSONLines

/// Finds the JSON texts of an input.
///
/// A text begins on a new line and may extend over several lines; only blanks may follow it on its last line.
/// After an invalid text, the search continues at the next line.
package struct WireTexts: Sendable {
  package enum Text: Sendable {
    /// A valid JSON value of any kind.
    case value(Range<Int>)
    /// Bytes that are not JSON; the error's offset is an offset in the input.
    case broken(JSONError, Range<Int>)
  }

  private var position = 0

  package init() {}

  package mutating func next(in input: Span<UInt8>) -> Text? {
    position = Self.skippingBlanks(input, from: position, breaks: true)
    guard position < input.count else { return nil }
    let start = position
    do throws(JSONError) {
      var sink = IgnoredMembers()
      let end = try JSONScanner.scan(input, from: start, into: &sink)
      position = Self.skippingBlanks(input, from: end, breaks: false)
      guard position == input.count || input[position] == 10 else {
        throw JSONError(.trailingBytes, at: position)
      }
      return .value(start..<end)
    } catch {
      let searched = error.code == .trailingBytes ? position : start
      position = ByteSearch.firstIndex(of: 10, in: input, from: searched) ?? input.count
      return .broken(error, start..<position)
    }
  }

  private static func skippingBlanks(_ input: Span<UInt8>, from start: Int, breaks: Bool) -> Int {
    var offset = start
    while offset < input.count, isBlank(input[offset]) || (breaks && input[offset] == 10) { offset += 1 }
    return offset
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
}

/// Finds the line of a byte in an input; the time depends on the distance from the previous byte.
package struct WireLines: Sendable {
  /// The start of the line.
  private var start = 0
  private var number = 1
  /// Line ends before this offset have been counted.
  private var searched = 0

  package init() {}

  /// The line, 1-based, and the byte's offset in it.
  package mutating func place(of offset: Int, in input: Span<UInt8>) -> (line: Int, offset: Int) {
    while offset < start { goBack(in: input) }
    while searched < offset, let end = ByteSearch.firstIndex(of: 10, in: input, searched..<offset) {
      start = end + 1
      searched = start
      number += 1
    }
    searched = max(searched, offset)
    return (number, offset - start)
  }

  /// Moves to the previous line.
  private mutating func goBack(in input: Span<UInt8>) {
    start -= 1
    while start > 0, input[start - 1] != 10 { start -= 1 }
    searched = start
    number -= 1
  }

  /// The failure of an input that is not JSON, with its offset in the line.
  package mutating func failure(
    _ error: JSONError, in input: Span<UInt8>
  ) -> (line: Int, failure: WireFailure) {
    let (line, offset) = place(of: error.offset, in: input)
    return (line, WireFailure(.json(JSONError(error.code, at: offset))))
  }
}
