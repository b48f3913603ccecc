/// Writes canonical JSON in one pass over validated text.
///
/// Members are written in their order in the text; an object with unsorted names is then sorted in place in
/// the output. Reuse a writer for many values, to avoid allocating its memory again.
package struct CanonicalWriter: Sendable {
  /// A member already written: its raw name in the text and its place in the output.
  private struct Member: Sendable {
    var name: Range<Int>
    var output: Range<Int>
  }

  /// The members of all open objects, innermost last.
  private var members: [Member] = []
  /// The members being sorted, in their previous order.
  private var written: [UInt8] = []

  package init() {}

  /// Appends the canonical form of a validated value; `raw` is the value without white space around it.
  package mutating func append(_ text: Span<UInt8>, _ raw: Range<Int>, to bytes: inout [UInt8]) {
    _ = append(text, from: raw.lowerBound, to: &bytes)
  }

  /// Appends the value that begins at `start` and returns the offset just after it.
  private mutating func append(_ text: Span<UInt8>, from start: Int, to bytes: inout [UInt8]) -> Int {
    switch text[start] {
    case UInt8(ascii: "\""):
      let end = ValidatedText.endOfString(text, from: start + 1)
      JSONString.appendCanonical(text, start + 1..<end, to: &bytes)
      return end + 1
    case UInt8(ascii: "{"):
      return appendObject(text, from: start, to: &bytes)
    case UInt8(ascii: "["):
      return appendArray(text, from: start, to: &bytes)
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      let end = ValidatedText.endOfScalar(text, from: start)
      bytes.append(text, start..<end)
      return end
    default:
      return appendNumber(text, from: start, to: &bytes)
    }
  }

  private mutating func appendArray(_ text: Span<UInt8>, from start: Int, to bytes: inout [UInt8]) -> Int {
    var separator = UInt8(ascii: "[")
    var cursor = ContainerCursor(opening: start)
    while cursor.hasNext(in: text) {
      bytes.append(separator)
      separator = UInt8(ascii: ",")
      cursor.position = append(text, from: cursor.position, to: &bytes)
    }
    if separator == UInt8(ascii: "[") { bytes.append(separator) }
    bytes.append(UInt8(ascii: "]"))
    return cursor.position
  }

  private mutating func appendObject(_ text: Span<UInt8>, from start: Int, to bytes: inout [UInt8]) -> Int {
    let first = members.count
    bytes.append(UInt8(ascii: "{"))
    let output = bytes.count
    var last: Member?
    var isOrdered = true
    var cursor = ContainerCursor(opening: start)
    while cursor.hasNext(in: text) {
      if let last {
        // Members are recorded only from the second one on, so an object with one member does not allocate.
        members.append(last)
        bytes.append(UInt8(ascii: ","))
      }
      let member = appendMember(text, at: &cursor, to: &bytes)
      if let last, JSONString.compare(text, last.name, text, member.name) > 0 { isOrdered = false }
      last = member
    }
    if !isOrdered, let last {
      members.append(last)
      sortMembers(from: first, text, output: output, &bytes)
    }
    members.removeSubrange(first...)
    bytes.append(UInt8(ascii: "}"))
    return cursor.position
  }

  private mutating func appendMember(
    _ text: Span<UInt8>, at cursor: inout ContainerCursor, to bytes: inout [UInt8]
  ) -> Member {
    let start = bytes.count
    let name = cursor.readName(in: text)
    JSONString.appendCanonical(text, name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    cursor.position = append(text, from: cursor.position, to: &bytes)
    return Member(name: name, output: start..<bytes.count)
  }

  /// Sorts the members from `first` on; their text is in the output from `output` to its end.
  private mutating func sortMembers(
    from first: Int, _ text: Span<UInt8>, output: Int, _ bytes: inout [UInt8]
  ) {
    members[first...].sort { a, b in
      let order = JSONString.compare(text, a.name, text, b.name)
      return order != 0 ? order < 0 : a.output.lowerBound < b.output.lowerBound
    }
    written.removeAll(keepingCapacity: true)
    written += bytes[output...]
    bytes.removeSubrange(output...)
    for member in members[first...] {
      if bytes.count > output { bytes.append(UInt8(ascii: ",")) }
      bytes += written[member.output.lowerBound - output..<member.output.upperBound - output]
    }
  }

  private func appendNumber(_ text: Span<UInt8>, from start: Int, to bytes: inout [UInt8]) -> Int {
    let end = ValidatedText.endOfScalar(text, from: start)
    if ExactDecimal.isCanonicalInteger(text, start..<end) {
      bytes.append(text, start..<end)
    } else {
      ExactDecimal(text, start..<end).appendCanonical(to: &bytes)
    }
    return end
  }
}
