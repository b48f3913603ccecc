/// The head of a request as it arrived, before it is checked.
package struct RequestHead: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  package var method: String
  /// The path without the query, not decoded.
  package var path: String
  /// The HTTP version, such as `HTTP/1.1`.
  package var version: String
  /// The header fields in their order, including duplicates.
  package var fields: [Field]
  /// The query parameters, decoded.
  package var query: [Field]

  package init(method: String, path: String, version: String, fields: [Field], query: [Field]) {
    (self.method, self.path, self.version) = (method, path, version)
    (self.fields, self.query) = (fields, query)
  }

  /// The value of a header field, ignoring the case of its name; nil if it is missing or duplicate.
  package subscript(_ name: String) -> String? { Self.only(name, in: fields) { $0.isSameToken(as: $1) } }

  /// The value of a query parameter; nil if it is missing or duplicate.
  package func query(_ name: String) -> String? { Self.only(name, in: query) { $0 == $1 } }

  private static func only(_ name: String, in fields: [Field], _ isSame: (String, String) -> Bool) -> String?
  {
    let found = fields.filter { isSame($0.name, name) }
    return found.count == 1 ? found[0].value : nil
  }

  package func values(_ name: String) -> [String] {
    fields.filter { $0.name.isSameToken(as: name) }.map(\.value)
  }

  /// A coding such as gzip, with which the body would be read as other bytes; nil without one.
  package var contentCoding: String? {
    values("Content-Encoding").first { !$0.isSameToken(as: "identity") }
  }
}

/// Rejects requests if two programs could interpret their end or destination differently.
///
/// If a proxy reads such a request differently from the library behind it, an attacker could insert requests
/// between those of others (RFC 9112, section 11.2). Only Content-Length and Transfer-Encoding determine the
/// end.
package enum RequestGuard {
  /// Why a request is rejected, for people; nil for an accepted request.
  package static func fault(of head: RequestHead) -> String? {
    guard head.version == "HTTP/1.1" || head.version == "HTTP/1.0" else {
      return "the HTTP version is neither 1.1 nor 1.0"
    }
    for field in head.fields {
      if !isToken(field.name) { return "a header's name has a character that is not allowed there" }
      if !isValue(field.value) { return "a header's value has a control character" }
      // Programs that pass headers on as variables do not distinguish `Content_Length` from `Content-Length`.
      if field.name.utf8.contains(UInt8(ascii: "_")), isLength(field.name.map { $0 == "_" ? "-" : $0 }) {
        return "a header's name resembles Content-Length"
      }
    }
    let (lengths, codings) = (head.values("Content-Length"), head.values("Transfer-Encoding"))
    if lengths.count > 1 { return "more than one Content-Length header" }
    if let length = lengths.first, !isLength(text: length) { return "the length is not a number" }
    if codings.count > 1 { return "more than one transfer coding" }
    if let coding = codings.first {
      if !lengths.isEmpty { return "a length and a transfer coding" }
      if !coding.isSameToken(as: "chunked") { return "the transfer coding is not 'chunked'" }
      if head.version == "HTTP/1.0" { return "a transfer coding in HTTP/1.0" }
    }
    if head.values("Host").count > 1 || head.version == "HTTP/1.1" && head.values("Host").count != 1 {
      return "not exactly one Host header"
    }
    if head.values("Authorization").count > 1 { return "more than one Authorization header" }
    if !head.path.hasPrefix("/") { return "the target is not a path" }
    return nil
  }

  /// Why a request is rejected because of its body; nil for an accepted request.
  ///
  /// The end of such a body is clear, but programs differ in whether the request has a body.
  package static func bodyFault(of head: RequestHead) -> String? {
    let (lengths, codings) = (head.values("Content-Length"), head.values("Transfer-Encoding"))
    if let (method, hasBody) = body(head, lengths, codings), hasBody { return "a \(method) with a body" }
    return nil
  }

  private static func body(
    _ head: RequestHead, _ lengths: [String], _ codings: [String]
  ) -> (String, Bool)? {
    guard head.method == "GET" || head.method == "HEAD" else { return nil }
    return (head.method, !codings.isEmpty || lengths.contains { $0 != "0" })
  }

  private static func isLength(_ name: [Character]) -> Bool {
    String(name).isSameToken(as: "Content-Length") || String(name).isSameToken(as: "Transfer-Encoding")
  }

  /// Whether the text consists of 1 to 15 digits; a number with more digits exceeds every limit.
  private static func isLength(text: String) -> Bool {
    (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { $0 &- 48 < 10 }
  }

  /// Whether a name is a token (RFC 9110, section 5.6.2).
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  private static func isValue(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 }
  }
}

extension String {
  /// Whether two tokens of a protocol are the same, regardless of the case of their ASCII letters.
  package func isSameToken(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { a, b in
        a == b || (a ^ b == 0x20 && (a | 0x20) &- 97 < 26)
      }
  }
}
