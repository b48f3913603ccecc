import Captures
import SyncCore

/// The words for a finding in a drawing without content.
enum FindingText {
  /// The message without what it quotes of records, and without the names of their members.
  static func withoutContent(_ finding: ConversationFinding) -> String {
    // The version as it is written may be anything.
    if finding.code == .incompatibleProtocolVersion { return "a protocol version that is not supported here" }
    guard finding.code == .invalidMessage else { return finding.message }
    let (place, matter) = parts(of: finding.message)
    return place + withoutQuotation(matter)
  }

  /// The place in a page, without the way into a record, and what is wrong there.
  private static func parts(of message: String) -> (place: String, matter: String) {
    guard message.hasPrefix("changes/") || message.hasPrefix("delta/"),
      let colon = message.firstRange(of: ": ")
    else { return ("", message) }
    let names = message[..<colon.lowerBound].split(separator: "/").prefix {
      ["changes", "delta", "upserts", "deletes"].contains($0) || $0.allSatisfy { $0.isASCII && $0.isNumber }
    }
    return (names.joined(separator: "/") + ": ", String(message[colon.upperBound...]))
  }

  /// A quotation may have quotes in it: it ends with the last one.
  private static func withoutQuotation(_ text: String) -> String {
    guard let first = text.firstIndex(of: "'"), let last = text.lastIndex(of: "'"), first < last,
      !isOfProtocol(text[text.index(after: first)..<last])
    else { return text }
    return text[...first] + "…" + text[last...]
  }

  private static func isOfProtocol(_ name: Substring) -> Bool {
    MessageName.allCases.contains { "\($0)" == name } || MemberName.allCases.contains { "\($0)" == name }
  }
}
