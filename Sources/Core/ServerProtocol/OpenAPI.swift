package import JSONLines

/// The table of routes as a document of OpenAPI 3.1.
package enum OpenAPI {
  package static var document: JSONValue {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "syncserve", "version": .string(version),
        "description": "The records of a household, for peersync, for curl and for an app that plans chores.",
      ],
      "servers": [["url": "/"]],
      "paths": .object(ServerRoute.allCases.map { JSONMember($0.rawValue, path($0)) }),
      "components": [
        "securitySchemes": [
          "key": ["type": "http", "scheme": "bearer", "description": "A key of 'syncserve key create'."],
          "browser": [
            "type": "http", "scheme": "basic",
            "description": "The key is the password; any name is accepted.",
          ],
        ],
        "schemas": Schemas.components,
      ],
    ]
  }

  private static func path(_ route: ServerRoute) -> JSONValue {
    .object(route.operations.map { JSONMember($0.method.lowercased(), operation($0, of: route)) })
  }

  private static func operation(_ operation: RouteOperation, of route: ServerRoute) -> JSONValue {
    let name = route.rawValue.split { !$0.isLetter }.joined(separator: "-")
    var members: [JSONMember] = [
      .init("operationId", .string("\(operation.method.lowercased())-\(name.isEmpty ? "page" : name)")),
      .init("summary", .string(operation.summary)), .init("security", security(of: route)),
    ]
    let fields =
      operation.query.map { parameter($0, in: "query") }
      + operation.headers.map { parameter($0, in: "header") }
    if !fields.isEmpty { members.append(.init("parameters", .array(fields))) }
    if let body = operation.body {
      members.append(
        .init("requestBody", ["required": .bool(body.schema != nil), "content": content(body)]))
    }
    let answers = operation.answers + common(operation, of: route)
    let isHead = operation.method == "HEAD"
    members.append(
      .init(
        "responses",
        .object(answers.map { JSONMember("\($0.status)", answer($0, withContent: !isHead)) })))
    return .object(members)
  }

  private static func security(of route: ServerRoute) -> JSONValue {
    switch route.door {
    case .everybody: []
    case .key: [["key": []]]
    case .browser: [["key": []], ["browser": []]]
    }
  }

  private static func parameter(_ field: RouteField, in place: String) -> JSONValue {
    [
      "name": .string(field.name), "in": .string(place), "description": .string(field.meaning),
      "schema": field.form.schema,
    ]
  }

  private static func answer(_ answer: RouteOperation.Answer, withContent: Bool) -> JSONValue {
    var members = [JSONMember("description", .string(answer.meaning))]
    if withContent, let body = answer.content { members.append(.init("content", content(body))) }
    return .object(members)
  }

  private static func content(_ content: RouteOperation.Content) -> JSONValue {
    .object([
      .init(content.mediaType, .object(content.schema.map { [JSONMember("schema", $0)] } ?? []))
    ])
  }

  /// The responses that are possible for every request.
  private static func common(
    _ operation: RouteOperation, of route: ServerRoute
  ) -> [RouteOperation.Answer] {
    let everywhere: [RouteOperation.Answer] = [
      .problem(400, "the request is ambiguous, or a query parameter or header is invalid"),
      .init(414, "the target is too long", "text/html"),
      .init(431, "the header is too long", "text/html"),
    ]
    if route.door == .everybody { return everywhere }
    let withKey: [RouteOperation.Answer] = [
      .problem(401, "the key is missing, unknown, revoked or expired"),
      .problem(404, "a household that no longer exists"),
      .problem(429, "more than 50 requests a second with a key, or 200 at once"),
      .problem(500, "the server failed"), .problem(503, "the server is busy"),
      .problem(507, "the disk or the household is full"),
    ]
    let ofBodies: [RouteOperation.Answer] = [
      .problem(403, "a read-only key, or a key with 1,000 stores"),
      .problem(415, "a content coding of the body, such as gzip"),
    ]
    let writing = ["GET", "HEAD"].contains(operation.method) ? [] : ofBodies
    return everywhere + writing + withKey
  }
}
