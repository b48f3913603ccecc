package import JSONLines

/// Tells in which line of an input a byte lies; cheap where it is asked in the order of the bytes.
package struct WireLines: Sendable {
  private var start = 0
  private var number = 1

  package init() {}

  /// The line, 1-based, and the byte's offset in it.
  package mutating func place(of offset: Int, in input: Span<UInt8>) -> (line: Int, offset: Int) {
    if offset < start { (start, number) = (0, 1) }
    while let end = ByteSearch.firstIndex(of: 10, in: input, start..<offset) {
      start = end + 1
      number += 1
    }
    return (number, offset - start)
  }

  /// The failure of an input that is no JSON, its offset that in the line.
  package mutating func failure(
    _ error: JSONError, in input: Span<UInt8>
  ) -> (line: Int, failure: WireFailure) {
    let (line, offset) = place(of: error.offset, in: input)
    return (line, WireFailure(.json(JSONError(error.code, at: offset))))
  }
}
