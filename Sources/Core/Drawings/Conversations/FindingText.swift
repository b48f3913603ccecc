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
    // Compare bytes: the last letter of a foreign name may form one character with the colon.
    guard ["changes/", "delta/"].contains(where: { message.utf8.starts(with: $0.utf8) }),
      let colon = message.utf8.firstRange(of: ": ".utf8)
    else { return ("", message) }
    let names = message[..<colon.lowerBound].split(separator: "/").prefix {
      ["changes", "delta", "upserts", "deletes"].contains($0) || $0.allSatisfy { $0.isASCII && $0.isNumber }
    }
    return (names.joined(separator: "/") + ": ", String(message[colon.upperBound...]))
  }

  /// A quotation may contain quotation marks, so it ends at the last one.
  private static func withoutQuotation(_ text: String) -> String {
    // A foreign name may begin with a mark that forms one character with the quotation mark.
    let mark = UInt8(ascii: "'")
    guard let first = text.utf8.firstIndex(of: mark), let last = text.utf8.lastIndex(of: mark), first < last,
      !isOfProtocol(text[text.utf8.index(after: first)..<last])
    else { return text }
    return text[..<first] + "'…" + text[last...]
  }

  private static func isOfProtocol(_ name: Substring) -> Bool {
    MessageName.allCases.contains { "\($0)" == name } || MemberName.allCases.contains { "\($0)" == name }
  }
}
