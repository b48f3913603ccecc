package import JSONLines
package import SyncCore

/// The body of `/changes`, in both directions: change lines, with the page's other data on separate lines.
///
///     {"rules":{…}}                                      if the other side does not have rules
///     {"resync":{"heldToken":"…","quarantinedKeys":[…]}}  on the first page of a complete answer
///     …change lines…
///     {"newTokenData":"…"}                               the end of the page; the last one counts
package struct ChangesBody: Equatable, Sendable {
  /// The rules as canonical JSON.
  package var rules: [UInt8]?
  package var resync: ResyncFacts?
  /// Change lines, each with its LF; checkpoints may be among them.
  package var lines: [UInt8] = []
  /// The token of the last checkpoint, in Base64; nil if missing.
  package var token: String?
  /// The number of lines before the first of `lines`.
  package var linesBefore = 0

  package init() {}

  package init(_ page: StorePage) {
    (rules, resync, lines) = (page.rules, page.resync, page.lines)
    token = TokenText.text(page.token)
  }

  package init(_ page: ReceivedPage) {
    (rules, resync, lines) = (page.rules?.rules, page.mode.facts, page.lines)
    token = page.token.isEmpty ? nil : TokenText.text(page.token)
  }

  /// The maximum length of a token in Base64.
  ///
  /// Answers repeat a token in up to two headers, and a connection has little memory for headers. The tokens
  /// of a store have at most 68 characters.
  package static let longestToken = 1_024

  // MARK: Writing

  package var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(lines.count + (rules?.count ?? 0) + 1_024)
    if let rules { text += Array("{\"rules\":".utf8) + rules + Array("}\n".utf8) }
    if let resync {
      let facts: [JSONMember] = [
        .init("heldToken", .string(TokenText.text(resync.heldToken))),
        .init("quarantinedKeys", .array(resync.quarantinedKeys.map { .string($0) })),
      ]
      text += Array(JSONValue.object([.init("resync", .object(facts))]).text.utf8) + [10]
    }
    text += lines
    if let token { text += Array("{\"newTokenData\":\"\(token)\"}\n".utf8) }
    return text
  }

  // MARK: Reading

  /// Reads a body; throws the error of one of the first lines.
  ///
  /// The change lines are not checked. Blank lines before and after them are left out.
  package init(parsing text: [UInt8]) throws(Diagnostic) {
    let text = text[..<Self.end(of: text)]
    var start = 0
    while let line = Self.line(of: text, at: start) {
      if line.allSatisfy({ $0.isBlank }) {
        start += line.count + 1
        linesBefore += 1
        continue
      }
      guard let name = Self.head(of: line) else { break }
      let value = try Self.value(line, name.rawValue, number: linesBefore + 1)
      switch name {
      case .rules:
        guard let rules = value["rules"], case .object = rules else {
          throw Self.bad(linesBefore + 1, "rules")
        }
        self.rules = Array(rules.text.utf8)
      case .resync:
        guard let facts = value["resync"].flatMap(Self.facts) else {
          throw Self.bad(linesBefore + 1, "resync")
        }
        resync = facts
      }
      start += line.count + 1
      linesBefore += 1
    }
    lines = Array(text[min(start, text.endIndex)...])
    if let last = lines.last, last != 10 { lines.append(10) }
    token = try consumeToken()
  }

  private enum Head: String, CaseIterable { case rules, resync }

  /// The kind of one of the first lines, recognized by its beginning.
  private static func head(of line: ArraySlice<UInt8>) -> Head? {
    Head.allCases.first { line.starts(with: "{\"\($0.rawValue)\":".utf8) }
  }

  private static func line(of text: ArraySlice<UInt8>, at start: Int) -> ArraySlice<UInt8>? {
    guard start < text.endIndex else { return nil }
    let end = text[start...].firstIndex(of: 10) ?? text.endIndex
    return text[start..<end]
  }

  /// The end of the last line that is not blank.
  private static func end(of text: [UInt8]) -> Int {
    guard let last = text.lastIndex(where: { $0 != 10 && !$0.isBlank }) else { return 0 }
    return text[last...].firstIndex(of: 10).map { $0 + 1 } ?? text.count
  }

  /// The longest line that is parsed, in bytes; its parsed form takes much more memory.
  private static let longestLine = 8 << 20

  private static func value(
    _ line: ArraySlice<UInt8>, _ name: String, number: Int
  ) throws(Diagnostic) -> JSONValue {
    guard line.count <= longestLine else { throw bad(number, name) }
    let line = Array(line)
    do throws(JSONError) {
      return try JSONValue(parsing: line.span)
    } catch {
      throw Diagnostic(MemberError(.json(error)), line: number)
    }
  }

  private static func facts(_ value: JSONValue) -> ResyncFacts? {
    guard let held = value["heldToken"]?.stringValue, let keys = value["quarantinedKeys"]?.arrayValue,
      let token = held.isEmpty ? [] : TokenText.bytes(held)
    else { return nil }
    let texts = keys.compactMap(\.stringValue)
    return texts.count == keys.count ? ResyncFacts(heldToken: token, quarantinedKeys: texts) : nil
  }

  private static func bad(_ line: Int, _ name: String) -> Diagnostic {
    Diagnostic(.wrongType, "invalid '\(name)'", line: line)
  }

  /// Returns the token of the last checkpoint line, and removes that line from the end of the text.
  private mutating func consumeToken() throws(Diagnostic) -> String? {
    let head = Array("{\"newTokenData\":".utf8)
    var (found, number, start): (String?, Int, Int) = (nil, linesBefore, 0)
    while let line = Self.line(of: lines[...], at: start) {
      number += 1
      let end = start + line.count + 1
      if line.starts(with: head) {
        let value = try Self.value(line, "newTokenData", number: number)["newTokenData"]?.stringValue
        let bytes = value.flatMap { TokenText.bytes($0) }
        guard let value, value.isEmpty || bytes != nil else {
          throw Diagnostic(.invalidToken, "a checkpoint that is not Base64", line: number)
        }
        // Base64 may contain line breaks.
        let text = bytes.map { TokenText.text($0) } ?? value
        guard text.utf8.count <= Self.longestToken else {
          throw Diagnostic(
            .invalidToken, "a checkpoint of more than \(Self.longestToken) characters", line: number)
        }
        found = text
        if end >= lines.count {
          lines.removeSubrange(start...)
          break
        }
      }
      start = end
    }
    return found
  }
}

extension UInt8 {
  /// Whether a blank line may have this byte: a space, a tab or a carriage return.
  fileprivate var isBlank: Bool { self == 32 || self == 9 || self == 13 }
}

/// The names of the headers specific to `/changes`.
package enum ChangesHeader {
  /// The id of the store that sends the request; the server remembers its progress.
  package static let store = "Peersync-Store"
  /// The last checkpoint of the client's store that the server has read.
  package static let checkpoint = "Peersync-Checkpoint"
  /// The last checkpoint of the server that the client has acknowledged.
  package static let acknowledged = "Peersync-Acknowledged"
  /// The id of the household's store.
  package static let server = "Peersync-Server"
  /// The SHA-256 of the rules, in hex digits.
  package static let rules = "Peersync-Rules"
}

extension String {
  /// The text as a value in a query (RFC 3986).
  package var percentEncoded: String {
    utf8.reduce(into: "") { text, byte in
      if byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || "-._~".utf8.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + HexDigits.text([byte], capitals: true)
      }
    }
  }
}
