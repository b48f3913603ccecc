import JSONLines
import SyncCore

/// The text of a message in a drawing: its type, sizes, counts, and the members that the protocol needs.
///
/// Other content is not shown: records, names of devices, and secrets.
enum MessageLabel {
  /// `syncResponse: 3 changes, more to come`.
  static func words(_ message: MessageMembers, in text: Span<UInt8>) -> String {
    let type = word(.type, message, text) ?? ""
    let facts: [String] =
      switch Message.Kind(rawValue: type) {
      case .syncRequest: request(message, text)
      case .syncResponse: response(message, text)
      case .ack: ack(message, text)
      case .error: [error(message, text)]
      case .pairHello, .pairConfirm, .pairDone, nil: []
      }
    return (type.isEmpty ? "a message without a type" : type.shown(upTo: 40))
      + (facts.isEmpty ? "" : ": " + facts.joined(separator: ", "))
  }

  private static func request(_ message: MessageMembers, _ text: Span<UInt8>) -> [String] {
    let since = token(.sinceTokenData, message, text).map { "since \($0)" }
    var facts = [isTrue(.resync, message, text) ? "resync" : since ?? "from the beginning"]
    if message.has(.waitSeconds), let seconds = number(.waitSeconds, message, text) {
      facts.append("waits up to \(seconds) s")
    }
    if message.has(.window), let pages = number(.window, message, text) {
      facts.append("up to \(amount(pages, "page")) at once")
    }
    return facts
  }

  private static func response(_ message: MessageMembers, _ text: Span<UInt8>) -> [String] {
    var (facts, end) = ([String](), [String]())
    if let count = count(.changes, message, text) { facts.append(amount(count, "change")) }
    if let delta = place(.delta, message, text), text.isObject(delta) {
      let hasChanges = !facts.isEmpty
      text.forEachMember(of: delta) { name, value in
        switch name {
        case "upserts", "deletes":
          guard !hasChanges, let count = elements(value, text) else { return }
          facts.append(amount(count, String(name.dropLast())))
        case "newTokenData":
          if let token = token(value, text) { end.append("token \(token)") }
        default: break
        }
      }
    }
    if isTrue(.hasMore, message, text) {
      end.append(isTrue(.continues, message, text) ? "more to come without a request" : "more to come")
    }
    if message.has(.heldTokenData) { end.append("of a resync") }
    return facts + end
  }

  private static func ack(_ message: MessageMembers, _ text: Span<UInt8>) -> [String] {
    var facts = [token(.ackTokenData, message, text).map { "token \($0)" } ?? "no token"]
    if let count = number(.quarantined, message, text), count > 0 { facts.append("\(count) in quarantine") }
    if isTrue(.yourTurn, message, text) { facts.append("your turn") }
    return facts
  }

  private static func error(_ message: MessageMembers, _ text: Span<UInt8>) -> String {
    guard let code = word(.errorCode, message, text) else { return "without a code" }
    return PeerErrorCode(rawValue: code)?.rawValue ?? "a code that is not listed"
  }

  // MARK: Members

  private static func place(
    _ name: MessageName, _ message: MessageMembers, _ text: Span<UInt8>
  ) -> Range<Int>? { (try? message.find(name, in: text)).flatMap { $0 } }

  static func word(_ name: MessageName, _ message: MessageMembers, _ text: Span<UInt8>) -> String? {
    guard let raw = place(name, message, text), text.isString(raw) else { return nil }
    return JSONString.decoded(text, text.content(raw))
  }

  private static func token(
    _ name: MessageName, _ message: MessageMembers, _ text: Span<UInt8>
  ) -> String? { place(name, message, text).flatMap { token($0, text) } }

  /// The end of a token, which distinguishes tokens; nil if it is empty or missing.
  private static func token(_ raw: Range<Int>, _ text: Span<UInt8>) -> String? {
    guard text.isString(raw) else { return nil }
    let letters = JSONString.decoded(text, text.content(raw)).prefix { $0 != "=" }
    guard !letters.isEmpty, letters.utf8.allSatisfy({ $0.isBase64 }) else { return nil }
    return (letters.count > 8 ? "…" : "") + letters.suffix(8)
  }

  static func number(_ name: MessageName, _ message: MessageMembers, _ text: Span<UInt8>) -> Int? {
    guard let raw = place(name, message, text), text.isNumber(raw) else { return nil }
    return (try? WireNumber.integer(text, raw, .int64)).map { Int($0) }
  }

  private static func isTrue(
    _ name: MessageName, _ message: MessageMembers, _ text: Span<UInt8>
  ) -> Bool { place(name, message, text).map { text.isTrue($0) } ?? false }

  private static func count(
    _ name: MessageName, _ message: MessageMembers, _ text: Span<UInt8>
  ) -> Int? { place(name, message, text).flatMap { elements($0, text) } }

  private static func elements(_ array: Range<Int>, _ text: Span<UInt8>) -> Int? {
    guard text.isArray(array) else { return nil }
    var (cursor, count) = (ContainerCursor(opening: array.lowerBound), 0)
    while cursor.hasNext(in: text) {
      _ = cursor.passValue(in: text)
      count += 1
    }
    return count
  }

  static func amount(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension UInt8 {
  fileprivate var isBase64: Bool {
    self &- 48 < 10 || (self | 0x20) &- 97 < 26 || "+/".utf8.contains(self)
  }
}
