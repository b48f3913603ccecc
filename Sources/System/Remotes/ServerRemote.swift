import Crypto
package import JSONLines
import ServerProtocol
package import Store
package import SyncCore

/// A server's `/changes` as the other side of a dialogue.
package struct ServerRemote: DialogueStore {
  private let client: any ServerTransport
  private let store: ChangeStore
  /// Whether requests that change data are left out.
  private let isDryRun: Bool
  /// The facts in the server's last response; nil before the first.
  private var facts: Facts?
  /// Whether the pages belong to a complete answer.
  private var isInResync = false
  /// The token after which the next page to send continues; nil for the very first page.
  private var base: [UInt8]?
  /// Whether further pages will be sent; they continue the previous page, not the server's checkpoint.
  private var isUnderWay = false

  private struct Facts {
    var checkpoint: [UInt8]?
    var acknowledged: [UInt8]?
    var isReadOnly = false
  }

  /// The id of the household's store: the remembered id, or after the first answer the server's.
  package private(set) var id: String

  /// The error if an answer comes from a different store than before.
  package struct Changed: Error { package let id: String }

  /// The error if the server refuses a page of several changes because of its size.
  struct TooLarge: Error {
    /// The size of the changes in the page, in bytes.
    let size: Int
  }

  /// Makes a remote without sending a request.
  package init(_ client: any ServerTransport, _ store: ChangeStore, id: String, isDryRun: Bool) {
    (self.client, self.store, self.id, self.isDryRun) = (client, store, id, isDryRun)
  }

  /// The id of the household's store for a key.
  package static func id(of client: any ServerTransport) throws -> String {
    // Do not use HEAD, because a refusal would not include its reason.
    let answer = try client.send("GET", "/changes?max-bytes=1", [], body: nil)
    guard answer.status < 400 else { throw failure(answer) }
    return try id(of: answer)
  }

  private static func id(of answer: HTTPClient.Answer) throws -> String {
    guard let id = answer[ChangesHeader.server], UUIDText(id) != nil else {
      throw Diagnostic(
        .protocolBroken, "not a peersync server", hint: notAServer)
    }
    return id
  }

  /// The bytes of the bodies so far.
  var bytes: (received: Int, sent: Int) { (client.received, client.sent) }

  /// Returns a closure that waits up to 50 seconds for a change on the server that this store lacks; false
  /// without one.
  ///
  /// The closure may run on any thread.
  package static func wait(
    _ settings: HTTPClient.Settings, _ store: ChangeStore, id: String
  ) throws -> @Sendable () throws -> Bool {
    let peer = try store.peer(known: id)
    let since = try peer.flatMap { try store.checkpoint($0, .outgoing) } ?? ""
    let acked = try peer.flatMap { try store.checkpoint($0, .incoming) } ?? ""
    let path = "/changes?wait=50&max-bytes=1&since=\(since.percentEncoded)&acked=\(acked.percentEncoded)"
    let fields = [RequestHead.Field(ChangesHeader.store, store.publicID)]
    return {
      let answer = try HTTPClient(settings).send(
        "GET", path, fields, body: nil, waiting: .seconds(50))
      guard answer.status == 200 else {
        if answer.status == 410 { return true }
        throw failure(answer)
      }
      return try !ChangesBody(parsing: answer.body).lines.isEmpty
    }
  }

  /// Whether the server has reported that the key is read-only.
  var isReadOnly: Bool { facts?.isReadOnly == true }

  // MARK: Answers

  package mutating func checkpoint(onPeer peer: String) throws -> [UInt8]? {
    let found = try known().checkpoint
    if !isUnderWay { base = found }
    return found
  }

  package mutating func acknowledged(byPeer peer: String) throws -> [UInt8]? { try known().acknowledged }

  /// The facts of the first page, or of a request without changes if this side only sends.
  private mutating func known() throws -> Facts {
    if facts == nil {
      let answer = try send("HEAD", "/changes")
      guard answer.status < 400 else { throw Self.failure(answer) }
    }
    return facts ?? Facts()
  }

  package mutating func page(_ request: PageRequest, forPeer peer: String) throws -> PageAnswer {
    if request.isResync { isInResync = true }
    var parts: [String] = []
    if let since = request.since { parts.append("since=\(TokenText.text(since).percentEncoded)") }
    if let limit = request.limit { parts.append("max-bytes=\(limit)") }
    if let acked = request.acked { parts.append("acked=\(TokenText.text(acked).percentEncoded)") }
    if request.isResync {
      parts.append("resync=1")
    } else if isInResync || isDryRun && request.since != nil {
      // With `resync=2` the server does not count changes up to `since` as read; in a dry run they were not stored.
      parts.append("resync=2")
    }
    if request.wantsRules { parts.append("rules=1") }
    let answer = try send("GET", "/changes?" + parts.joined(separator: "&"))
    switch answer.status {
    case 200: break
    case 410: return Self.code(of: answer) == .tokenExpired ? .tokenExpired : .tokenForeign
    default: throw Self.failure(answer)
    }
    let body = try ChangesBody(parsing: answer.body)
    guard let token = body.token.flatMap({ TokenText.bytes($0) }) else {
      throw Diagnostic(.protocolBroken, "an answer without a token")
    }
    var page = StorePage(lines: body.lines, token: token)
    page.hasMore = answer.namesNextPage
    (page.resync, page.rules) = (body.resync, body.rules)
    if !page.hasMore { isInResync = false }
    return .page(page)
  }

  // MARK: Pages to send

  package mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws -> ApplyAnswer {
    if isDryRun { return .applied(quarantined: 0, isIdle: true) }
    let isEmpty = page.lines.isEmpty && page.mode == .merge && !page.hasMore
    if isEmpty, page.token == facts?.checkpoint { return .applied(quarantined: 0, isIdle: true) }
    var parts: [String] = []
    if page.hasMore { parts.append("more=1") }
    if page.mode != .merge { parts.append("resync=1") }
    let path = "/changes" + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    // A server that has another checkpoint, because it was restored in the meantime, must not store this
    // page: the previous page would be missing there forever.
    let continued = page.mode == .merge ? base : nil
    let fields = continued.map { [RequestHead.Field(ChangesHeader.checkpoint, TokenText.text($0))] } ?? []
    let answer = try send("POST", path, fields, body: ChangesBody(page).text)
    switch answer.status {
    case 200: break
    // A read-only key cannot send the checkpoint either; this is not an error, because the page does not have
    // changes.
    case 403 where isEmpty: return .applied(quarantined: 0, isIdle: true)
    case 413 where page.lines.count(where: { $0 == 10 }) > 1:
      throw TooLarge(size: page.lines.count)
    case 422 where Self.code(of: answer) == .tooManyDeletions: return .refused
    case 422 where Self.code(of: answer) == .quarantineFull: return .quarantineFull
    default: throw Self.failure(answer)
    }
    isUnderWay = page.hasMore
    if page.mode == .merge || !page.hasMore, !page.token.isEmpty {
      facts?.checkpoint = page.token
      base = page.token
    }
    let report = try? JSONValue(parsing: answer.body.span)
    let quarantined = min(max(report?["quarantined"]?.intValue ?? 0, 0), page.lines.count { $0 == 10 })
    return .applied(quarantined: quarantined, isIdle: isEmpty)
  }

  /// Remembers the token; sending it with the next request acknowledges the page.
  package mutating func acknowledge(_ token: [UInt8], byPeer peer: String) throws {
    facts?.acknowledged = token
  }

  package mutating func disownChanges(fromPeer peer: String) throws {
    if isDryRun { return }
    let answer = try send("POST", "/changes?disown=1", body: [])
    guard answer.status == 200 else { throw Self.failure(answer) }
  }

  // MARK: Requests

  private mutating func send(
    _ method: String, _ path: String, _ others: [RequestHead.Field] = [], body: [UInt8]? = nil
  ) throws -> HTTPClient.Answer {
    var fields = [RequestHead.Field(ChangesHeader.store, store.publicID)] + others
    if let rules = try store.rules() { fields.append(.init(ChangesHeader.rules, try rules.rulesDigest())) }
    let answer = try client.send(method, path, fields, body: body)
    if [401, 404, 409].contains(answer.status) { throw Self.failure(answer) }
    // Check this even if the answer rejects the token as foreign, because the token is of the previous store.
    if let present = answer[ChangesHeader.server], present != id, UUIDText(present) != nil {
      throw Changed(id: present)
    }
    guard answer.status < 400, method != "POST" else { return answer }
    _ = try Self.id(of: answer)
    facts = Facts(
      checkpoint: answer[ChangesHeader.checkpoint].flatMap { TokenText.bytes($0) },
      acknowledged: answer[ChangesHeader.acknowledged].flatMap { TokenText.bytes($0) },
      isReadOnly: answer["Allow"].map { !$0.contains("POST") } == true)
    return answer
  }

  private static func code(of answer: HTTPClient.Answer) -> ErrorCode? {
    let value = try? JSONValue(parsing: answer.body.span)
    return value?["error"]?["code"]?.stringValue.flatMap { ErrorCode(rawValue: $0) }
  }

  /// The diagnostic for an unsuccessful response.
  private static func failure(_ answer: HTTPClient.Answer) -> Diagnostic {
    var diagnostic = reason(of: answer)
    diagnostic.retryAfter = answer.retryAfter
    return diagnostic
  }

  private static func reason(of answer: HTTPClient.Answer) -> Diagnostic {
    let error = (try? JSONValue(parsing: answer.body.span))?["error"]
    let words = error?["message"]?.stringValue ?? meaning(of: answer.status)
    let message = "the server answers: \(words)"
    let help = error?["hint"]?.stringValue?.shown(upTo: 400)
    switch answer.status {
    case 403: return .readOnlyKey(words, help: help)
    case 401:
      return Diagnostic(.refusedByPeer, message, hint: "make a new key on the server: syncserve key create")
    case 409 where code(of: answer) == .peerBusy:
      return Diagnostic(.peerBusy, message, hint: pause(of: answer))
    case 409:
      return Diagnostic(
        .rulesDiffer, message, hint: help ?? "'synclog rules show' prints the rules of this device")
    case 413: return Diagnostic(.messageTooLarge, message, hint: error == nil ? proxyLimit : serverLimit)
    case 422: return Diagnostic(.partialRun, message)
    case 404: return Diagnostic(.unknownPeer, message, hint: error == nil ? notAServer : nil)
    case 507:
      return Diagnostic(
        .peerBusy, message,
        hint: help ?? "free some space on the server; all changes are kept meanwhile")
    // A proxy answers in place of our server, so the run has not reached it.
    case 502: return Diagnostic(.remoteUnreachable, message, hint: proxyHint)
    case 503 where error == nil:
      return Diagnostic(.remoteUnreachable, message, hint: pause(of: answer))
    case 429, 500...: return Diagnostic(.peerBusy, message, hint: pause(of: answer))
    default: return Diagnostic(.peerError, message)
    }
  }

  private static let notAServer = "use the URL of syncserve, without /changes"
  private static let serverLimit = "raise the limit with 'syncserve run --max-body'"
  private static let proxyHint =
    "check on the server that 'syncserve run' is running, and that the proxy passes requests to its address"
  private static let proxyLimit =
    "the proxy limits the size of requests: allow 64 MiB there; in nginx: client_max_body_size 64m"

  /// The meaning of a status in an answer without our server's body, for example from a proxy.
  private static func meaning(of status: Int) -> String {
    switch status {
    case 413: "the request is too large (413)"
    case 429: "too many requests (429)"
    case 500: "internal error (500)"
    case 502, 504: "the server behind the proxy does not answer (\(status))"
    case 503: "busy, or down for maintenance (503)"
    case 507: "the disk is full (507)"
    default: "status \(status)"
    }
  }

  /// The hint with the time of a retry: seconds or a date, if the server sends them.
  private static func pause(of answer: HTTPClient.Answer) -> String {
    guard let time = answer["Retry-After"], !time.isEmpty, time.utf8.count < 64 else {
      return "run the command again later"
    }
    return Int(time).map { "try again in \($0)s" } ?? "try again after \(time.escapingControls)"
  }
}

extension HTTPClient.Answer {
  /// Whether a `Link` has the relation `next` (RFC 8288); a proxy may add links with other relations.
  fileprivate var namesNextPage: Bool {
    fields.contains { field in
      guard field.name.isSameToken(as: "Link") else { return false }
      // Each link is `<ADDRESS>` and its parameters.
      return field.value.split(separator: "<").contains { link in
        link.drop { $0 != ">" }.split { ";,".contains($0) }.contains { parameter in
          String(parameter.filter { !" \t\"".contains($0) }).isSameToken(as: "rel=next")
        }
      }
    }
  }
}

extension Diagnostic {
  /// The diagnostic for a server that refuses writes with the key of this device.
  package static func readOnlyKey(
    _ words: String = "the key is read-only", help: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      .refusedByPeer, "the server answers: \(words)",
      hint: help
        ?? "use 'peersync run --direction pull', which only reads, or another key: peersync remote add")
  }
}
