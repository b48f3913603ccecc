import JSONLines
import ServerProtocol
import SyncCore
import SystemIO

/// Decides from the head and the key which requests are handled.
extension SyncServer {
  /// The refusal of a request; nil if the request is handled.
  package func admit(_ exchange: HTTPExchange) -> HTTPResponse? {
    let head = exchange.head
    guard let route = ServerRoute(rawValue: head.path) else {
      return .error(
        404,
        Diagnostic(
          .fileNotFound, "unknown path",
          hint: "known paths: \(ServerRoute.allCases.map(\.rawValue).joined(separator: ", "))"))
    }
    guard let operation = route.operation(head.method) else {
      var response = HTTPResponse.error(
        405, Diagnostic(.unknownValue, "the method is not allowed here"))
      response.fields.append(.init("Allow", route.methods.joined(separator: ", ")))
      return response
    }
    if route.door == .everybody { return openAnswer(to: route) }
    do {
      let now = rules.now()
      guard let text = head.key(through: route.door) else {
        return .unauthorized("the request has no key; send 'Authorization: Bearer KEY'", route.door)
      }
      let key: KeyRecord
      switch try keys.find(text, at: now) {
      case .success(let found): key = found
      case .failure(let refusal): return .unauthorized(refusal.message, route.door)
      }
      var admission = Admission(key: key, isWrite: !["GET", "HEAD"].contains(head.method))
      // The log of a refusal names the key too.
      exchange.facts = admission
      exchange.sender = key.id
      if let seconds = rates.wait(key.id, at: exchange.begun) {
        var response = HTTPResponse.error(
          429, Diagnostic(.peerBusy, "too many requests with this key"))
        response.fields.append(.init("Retry-After", "\(seconds)"))
        return response
      }
      if admission.isWrite, key.isReadOnly {
        return .error(403, Diagnostic(.refusedByPeer, "the key is read-only"))
      }
      if let fault = fault(of: head, operation) { return fault }
      if let longest = route.longestBody { exchange.longestBody = min(exchange.longestBody, longest) }
      if let seconds = head.query("wait").flatMap({ Int($0) }), seconds > 0 {
        // A request does not wait beyond the expiry of its key.
        let left = key.expiresAt.map { Int($0.seconds - now.seconds) + 1 } ?? Self.longestWait
        admission.deadline = exchange.begun + .seconds(min(seconds, left, Self.longestWait))
      }
      exchange.facts = admission
      return knownAnswer(to: exchange, admission, route)
    } catch {
      return failure(error, "")
    }
  }

  /// The longest wait of a request in seconds: less than a minute, after which proxies time out.
  private static let longestWait = 55

  private func fault(of head: RequestHead, _ operation: RouteOperation) -> HTTPResponse? {
    operation.fault(of: head).map { .error(400, Diagnostic(.wrongType, $0)) }
  }

  /// A kept answer, for a request that does not wait for changes.
  private func knownAnswer(
    to exchange: HTTPExchange, _ admission: Admission, _ route: ServerRoute
  ) -> HTTPResponse? {
    guard route == .changes, exchange.head.method == "GET",
      let answer = answers.find(ChangesRequest(exchange, admission), in: admission.key.household),
      answer.waitsAfter == nil || admission.deadline == nil
    else { return nil }
    return answer.response.adding(admission.fields)
  }

  private func openAnswer(to route: ServerRoute) -> HTTPResponse {
    route == .openAPI ? openAPI : .json(200, ["status": "ok"])
  }
}

extension RequestHead {
  /// The key of a request.
  ///
  /// A browser sends a stored password with every request to the server, even if another site causes the
  /// request. So such a password gives access only to pages that do not change anything.
  fileprivate func key(through door: ServerRoute.Door) -> String? {
    guard
      let parts = self["Authorization"]?.utf8.split(separator: UInt8(ascii: " ")).map({ String($0) ?? "" }),
      parts.count == 2
    else { return nil }
    if parts[0].isSameToken(as: "Bearer") { return parts[1] }
    guard door == .browser, parts[0].isSameToken(as: "Basic"),
      let bytes = TokenText.bytes(parts[1]), let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return String(decoding: bytes[(colon + 1)...], as: UTF8.self)
  }
}
