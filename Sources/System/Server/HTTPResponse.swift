package import JSONLines
import ServerProtocol

extension HTTPResponse {
  package static func json(_ status: Int, _ value: JSONValue) -> HTTPResponse {
    HTTPResponse(status, [.init("Content-Type", "application/json")], Array(value.text.utf8) + [10])
  }

  /// An error as `--errors json` writes it, without the tool and its exit status.
  package static func error(_ status: Int, _ diagnostic: Diagnostic) -> HTTPResponse {
    var members: [JSONMember] = [
      .init("code", .string(diagnostic.code.rawValue)), .init("message", .string(diagnostic.message)),
    ]
    if let line = diagnostic.line { members.append(.init("line", .integer(line))) }
    if let hint = diagnostic.hint { members.append(.init("hint", .string(hint))) }
    // A retry may succeed, for example when the server's disk has room again.
    members.append(.init("retryable", .bool(diagnostic.code.isRetryable || status >= 500)))
    return .json(status, .object([.init("error", .object(members))]))
  }

  /// The answer to a request whose end is unclear or missing.
  static func refusal(_ fault: String) -> HTTPResponse {
    var response = error(400, Diagnostic(.invalidHeader, "ambiguous request: \(fault)"))
    response.closes = true
    return response
  }

  /// The answer to a request whose body is not read, because it has a content coding.
  static func unsupported(_ coding: String) -> HTTPResponse {
    var response = error(
      415, Diagnostic(.invalidHeader, "the content coding '\(coding.shown)' is not supported"))
    response.closes = true
    return response
  }

  static func tooLarge(_ exchange: HTTPExchange) -> HTTPResponse {
    let isOfChanges = exchange.head.path == ServerRoute.changes.rawValue
    var response = error(
      413,
      Diagnostic(
        .messageTooLarge, "the body is larger than \(exchange.longestBody) bytes",
        hint: isOfChanges ? "send fewer changes at once: synclog since --max-bytes" : nil
      ))
    response.closes = true
    return response
  }

  package static func busy(closes: Bool = false) -> HTTPResponse {
    var response = error(503, Diagnostic(.peerBusy, "the server is busy"))
    response.fields.append(.init("Retry-After", "1"))
    response.closes = closes
    return response
  }

  static func unauthorized(_ message: String, _ door: ServerRoute.Door = .key) -> HTTPResponse {
    var response = error(401, Diagnostic(.untrustedPeer, message))
    if door == .browser {
      response.fields.append(.init("WWW-Authenticate", "Basic realm=\"peersync\", charset=\"UTF-8\""))
    }
    response.fields.append(.init("WWW-Authenticate", "Bearer"))
    return response
  }
}
