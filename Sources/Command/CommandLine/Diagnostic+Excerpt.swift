import JSONLines

extension Diagnostic {
  /// The same with what is around the place of an error in the JSON text of a line.
  func excerpting(_ line: Span<UInt8>) -> Diagnostic {
    var diagnostic = self
    do throws(JSONError) {
      try JSONScanner.validate(line)
    } catch  where error.code.errorCode == code && message.hasSuffix(error.message(in: "line")) {
      diagnostic.message += ", near '\(Self.excerpt(of: line, around: error.offset))'"
    } catch {}
    return diagnostic
  }

  /// Up to 16 bytes before the place and 8 from it, in whole characters.
  private static func excerpt(of line: Span<UInt8>, around place: Int) -> String {
    var count = line.count
    while count > place, line[count - 1] == 10 || line[count - 1] == 13 { count -= 1 }
    var (start, end) = (max(0, place - 16), min(count, place + 8))
    while start > 0, start < place, line[start] & 0xC0 == 0x80 { start += 1 }
    while end < count, end > place, line[end] & 0xC0 == 0x80 { end -= 1 }
    let text = String(decoding: (start..<end).map { line[$0] }, as: UTF8.self)
    return (start > 0 ? "…" : "") + text.escapingControls + (end < count ? "…" : "")
  }
}
