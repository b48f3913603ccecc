import JSONLines
import SyncCore

/// The content of a message for users who request it: a line for each member, and for each element of its
/// arrays.
enum MessageContent {
  /// The limit of lines of a message; further lines are only counted.
  private static let mostLines = 20
  /// The longest value, in characters; the rest of a longer value is left out.
  private static let longestValue = 400
  /// The members that a drawing always shows.
  private static let leftOut: Set = ["type", "protocolVersion", "sentAt"]

  static func lines(_ message: Range<Int>, in text: Span<UInt8>) -> [String] {
    var lines: [(name: String, value: Range<Int>?)] = []
    text.forEachMember(of: message) { name, value in
      if leftOut.contains(name) { return }
      if MessageMembers.secretNames.contains(name) { return lines.append((name, nil)) }
      guard name == "delta", text.isObject(value) else { return append(name, value, in: text, to: &lines) }
      text.forEachMember(of: value) { append("delta/" + $0, $1, in: text, to: &lines) }
    }
    let shown = lines.prefix(mostLines).map { name, value in
      let value = value.flatMap { hasSecret($0, in: text) ? nil : shownValue($0, in: text) } ?? "\"…\""
      return "\(name.shown): \(value)"
    }
    return shown + (lines.count > mostLines ? ["and \(lines.count - mostLines) more"] : [])
  }

  private static func append(
    _ name: String, _ value: Range<Int>, in text: Span<UInt8>,
    to lines: inout [(name: String, value: Range<Int>?)]
  ) {
    guard text.isArray(value) else { return lines.append((name, value)) }
    var (cursor, index) = (ContainerCursor(opening: value.lowerBound), 0)
    while cursor.hasNext(in: text) {
      lines.append(("\(name)/\(index)", cursor.passValue(in: text)))
      index += 1
    }
    if index == 0 { lines.append((name, value)) }
  }

  private static func hasSecret(_ value: Range<Int>, in text: Span<UInt8>) -> Bool {
    !text.extracting(value).values(ofMembers: MessageMembers.secretNames).isEmpty
  }

  private static func shownValue(_ value: Range<Int>, in text: Span<UInt8>) -> String {
    // A character has at most four bytes; the cut may be inside a character.
    let end = min(value.upperBound, value.lowerBound + 4 * longestValue)
    var bytes: [UInt8] = []
    bytes.append(text.extracting(value.lowerBound..<end))
    let whole = String(decoding: bytes, as: UTF8.self)
    let kept = String(whole.prefix(longestValue))
    return kept.escapingControlsInJSON + (kept.utf8.count < value.count ? "…" : "")
  }
}
