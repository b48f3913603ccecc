import JSONLines
import SyncCore

/// A request with one method, and its responses.
package struct RouteOperation: Sendable {
  package struct Content: Sendable {
    package let mediaType: String
    /// The JSON Schema (2020-12) of the content; nil without a schema.
    let schema: JSONValue?

    init(_ mediaType: String, _ schema: JSONValue? = nil) {
      (self.mediaType, self.schema) = (mediaType, schema)
    }
  }

  struct Answer: Sendable {
    let status: Int
    let meaning: String
    let content: Content?

    init(_ status: Int, _ meaning: String, _ mediaType: String? = nil, _ schema: JSONValue? = nil) {
      (self.status, self.meaning) = (status, meaning)
      content = mediaType.map { Content($0, schema) }
    }

    static func problem(_ status: Int, _ meaning: String) -> Answer {
      Answer(status, meaning, "application/json", Schemas.named("Problem"))
    }
  }

  package var method: String
  package let summary: String
  package let query: [RouteField]
  package let headers: [RouteField]
  package let body: Content?
  let answers: [Answer]

  init(
    _ method: String, _ summary: String, query: [RouteField] = [], headers: [RouteField] = [],
    body: Content? = nil, answers: [Answer]
  ) {
    (self.method, self.summary, self.query, self.headers) = (method, summary, query, headers)
    (self.body, self.answers) = (body, answers)
  }

  static func reading(
    _ route: ServerRoute, _ summary: String, _ mediaType: String, _ schema: JSONValue? = nil
  ) -> RouteOperation {
    RouteOperation("GET", summary, answers: [Answer(200, summary, mediaType, schema)])
  }

  /// Why a request does not match the table, for people; nil if it matches.
  package func fault(of head: RequestHead) -> String? {
    let names = head.query.map(\.name)
    if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
      return "duplicate '\(name.escapingControls)' in the query"
    }
    if let name = names.first(where: { name in !query.contains { $0.name == name } }) {
      let known = query.map { "'\($0.name)'" }.joined(separator: ", ")
      return
        "unknown query parameter '\(name.escapingControls)'\(known.isEmpty ? "" : "; known: \(known)")"
    }
    for field in query {
      if let text = head.query(field.name), !field.form.admits(text) {
        return "'\(field.name)' is not \(field.form.expectation)"
      }
    }
    for field in headers {
      if head.values(field.name).count > 1 { return "more than one \(field.name) header" }
      if let text = head[field.name], !field.form.admits(text) {
        return "'\(field.name)' is not \(field.form.expectation)"
      }
    }
    return nil
  }
}

extension [RouteOperation] {
  /// The same operations, and HEAD operations, which do not have bodies.
  var withHead: [RouteOperation] {
    flatMap { operation in
      var head = operation
      head.method = "HEAD"
      return [operation, head]
    }
  }
}

/// A query parameter or a header field.
package struct RouteField: Sendable {
  package let name: String
  package let form: Form
  package let meaning: String

  init(_ name: String, _ form: Form, _ meaning: String) {
    (self.name, self.form, self.meaning) = (name, form, meaning)
  }

  package enum Form: Sendable {
    case whole, positive
    /// A number below 2⁵³.
    case revision
    case choice([String])
    /// Base64 of at most ``ChangesBody/longestToken``, or empty.
    case token
    case uuid
    /// SHA-256 in hex digits.
    case digest
    case words

    package func admits(_ text: String) -> Bool {
      switch self {
      case .whole: Self.number(text) != nil
      case .revision: Self.number(text).map { Int64($0) <= Schemas.lastRevision } ?? false
      case .positive: Self.number(text).map { $0 > 0 } ?? false
      case .choice(let choices): choices.contains(text)
      case .token: text.isEmpty || Self.isToken(text)
      case .uuid: UUIDText(text) != nil
      case .digest: HexDigits.isDigest(text)
      case .words: true
      }
    }

    /// Whether the text is a token; an unencoded plus sign is received as a blank.
    private static func isToken(_ text: String) -> Bool {
      text.utf8.count <= ChangesBody.longestToken && TokenText.bytes(text.replacing(" ", with: "+")) != nil
    }

    private static func number(_ text: String) -> Int? {
      text.utf8.allSatisfy { $0 &- 48 < 10 } ? Int(text) : nil
    }

    package var expectation: String {
      switch self {
      case .whole: "a whole number"
      case .revision: "a revision"
      case .positive: "a whole number above 0"
      case .choice(let choices): choices.joined(separator: " or ")
      case .token: "a token of at most \(ChangesBody.longestToken) characters"
      case .uuid: "a UUID"
      case .digest: "a SHA-256 in hex digits"
      case .words: "text"
      }
    }

    var schema: JSONValue {
      switch self {
      case .whole: ["type": "integer", "minimum": 0, "maximum": .integer(Int64.max)]
      case .revision: Schemas.revision
      case .positive: ["type": "integer", "minimum": 1, "maximum": .integer(Int64.max)]
      case .choice(let choices): ["type": "string", "enum": .array(choices.map { .string($0) })]
      case .token:
        [
          "type": "string",
          "pattern": .string(
            "^([A-Za-z0-9+/]{4}){0,\(ChangesBody.longestToken / 4 - 1)}"
              + "([A-Za-z0-9+/]{4}|[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$"),
        ]
      case .uuid: ["type": "string", "format": "uuid"]
      case .digest: ["type": "string", "pattern": "^[0-9a-f]{64}$"]
      case .words: ["type": "string"]
      }
    }
  }
}
