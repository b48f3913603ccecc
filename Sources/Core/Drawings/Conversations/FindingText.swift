import Captures
import SyncCore

/// The text for a finding in a drawing without content.
enum FindingText {
  /// The message without its quotations of records, and without the names of their members.
  static func withoutContent(_ finding: ConversationFinding) -> String {
    // The version in the message may be any text.
    if finding.code == .incompatibleProtocolVersion { return "a protocol version that is not supported here" }
    guard finding.code == .invalidMessage else { return finding.message }
    let (place, matter) = parts(of: finding.message)
    return place + withoutQuotation(matter)
  }

  /// The place in a page, without the path into a record, and the fault there.
  private static func parts(of message: String) -> (place: String, matter: String) {
    guard message.hasPrefix("changes/") || message.hasPrefix("delta/"),
      let colon = message.firstRange(of: ": ")
    else { return ("", message) }
    let names = message[..<colon.lowerBound].split(separator: "/").prefix {
      ["changes", "delta", "upserts", "deletes"].contains($0) || $0.allSatisfy { $0.isASCII && $0.isNumber }
    }
    return (names.joined(separator: "/") + ": ", String(message[colon.upperBound...]))
  }

  /// A quotation may contain quotation marks, so it ends at the last one.
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
