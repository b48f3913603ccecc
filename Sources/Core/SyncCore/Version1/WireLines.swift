package import JSONLines

/// Tells in which line of an input a byte lies; the time is that of the way from the byte asked for before.
package struct WireLines: Sendable {
  /// Where the line begins.
  private var start = 0
  private var number = 1
  /// Up to here the line does not end.
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

  /// To the line before.
  private mutating func goBack(in input: Span<UInt8>) {
    start -= 1
    while start > 0, input[start - 1] != 10 { start -= 1 }
    searched = start
    number -= 1
  }

  /// The failure of an input that is no JSON, its offset that in the line.
  package mutating func failure(
    _ error: JSONError, in input: Span<UInt8>
  ) -> (line: Int, failure: WireFailure) {
    let (line, offset) = place(of: error.offset, in: input)
    return (line, WireFailure(.json(JSONError(error.code, at: offset))))
  }
}
