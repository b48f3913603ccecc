internal import CMicrohttpdOnDemand
import ServerProtocol
import Synchronization
import SystemIO

/// The library calls this for the head of a request, for each part of its body, at its end, and after each
/// resumption.
let handleRequest: MHD_AccessHandlerCallback = {
  user, connection, target, method, version, bytes, size, slot in
  guard let user = unsafe user, let connection = unsafe connection, let size = unsafe size,
    let slot = unsafe slot
  else { return .NO }
  let server = unsafe Unmanaged<HTTPServer>.fromOpaque(user).takeUnretainedValue()
  guard let present = unsafe slot.pointee else {
    let head = unsafe RequestHead(
      method: method.map { unsafe String(cString: $0) } ?? "",
      path: target.map { unsafe String(cString: $0) } ?? "",
      version: version.map { unsafe String(cString: $0) } ?? "",
      fields: server.pairs(of: connection, .HEADER_KIND),
      query: server.pairs(of: connection, .GET_ARGUMENT_KIND))
    let exchange = unsafe HTTPExchange(head, from: server.address(of: connection), server, connection)
    unsafe slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    server.noteHead(unsafe server.descriptor(of: connection))
    guard let refusal = server.refusal(of: exchange) else { return .YES }
    if !refusal.closes {
      // The request does not have a body, or its body is skipped, so the connection can be used for the next
      // request.
      exchange.early = refusal
      return .YES
    }
    return unsafe server.send(refusal, of: exchange, on: connection)
  }
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(present).takeUnretainedValue()
  if unsafe size.pointee > 0 {
    if let bytes = unsafe bytes {
      let raw = unsafe server.descriptor(of: connection)
      unsafe server.receive(UnsafeRawBufferPointer(start: bytes, count: size.pointee), of: exchange, raw)
    }
    unsafe size.pointee = 0
    return .YES
  }
  if let response = exchange.response ?? exchange.early {
    return unsafe server.send(response, of: exchange, on: connection)
  }
  guard server.begin(exchange, unsafe server.descriptor(of: connection)) else {
    return unsafe server.send(.busy(closes: true), of: exchange, on: connection)
  }
  return .YES
}

/// The answer was sent, or the connection was lost.
let endRequest: MHD_RequestCompletedCallback = { user, connection, slot, _ in
  guard let user = unsafe user, let slot = unsafe slot, let present = unsafe slot.pointee else { return }
  let server = unsafe Unmanaged<HTTPServer>.fromOpaque(user).takeUnretainedValue()
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(present).takeRetainedValue()
  unsafe slot.pointee = nil
  let raw = unsafe connection.map { unsafe server.descriptor(of: $0) } ?? -1
  server.release(exchange, raw)
}

let noteConnection: MHD_NotifyConnectionCallback = { user, connection, _, event in
  guard let user = unsafe user, let connection = unsafe connection else { return }
  let server = unsafe Unmanaged<HTTPServer>.fromOpaque(user).takeUnretainedValue()
  server.note(unsafe server.descriptor(of: connection), isOpen: event.rawValue == 0)
}

/// The text of the header, which may contain a zero byte.
@unsafe
private func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String {
  unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size), as: UTF8.self)
}

/// Calls to libmicrohttpd for one connection, and the handling of its requests.
extension HTTPServer {
  @unsafe
  func resume(_ connection: OpaquePointer) {
    var library = unsafe library
    unsafe peersync_http_resume(&library, connection)
  }

  @unsafe
  func suspend(_ connection: OpaquePointer) {
    var library = unsafe library
    unsafe peersync_http_suspend(&library, connection)
  }

  @unsafe
  fileprivate func descriptor(of connection: OpaquePointer) -> CInt {
    var library = unsafe library
    return unsafe peersync_http_descriptor(&library, connection)
  }

  /// The headers or the query, in their order.
  @unsafe
  fileprivate func pairs(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [RequestHead.Field] {
    var library = unsafe library
    var pairs: [RequestHead.Field] = []
    unsafe withUnsafeMutablePointer(to: &pairs) { pairs in
      _ = unsafe peersync_http_values(
        &library, connection, kind,
        { user, _, name, nameSize, value, valueSize in
          guard let user = unsafe user else { return .YES }
          let pairs = unsafe user.assumingMemoryBound(to: [RequestHead.Field].self)
          unsafe pairs.pointee.append(.init(text(name, nameSize), text(value, valueSize)))
          return .YES
        }, pairs)
    }
    return pairs
  }

  @unsafe
  fileprivate func address(of connection: OpaquePointer) -> String {
    var library = unsafe library
    guard let address = unsafe peersync_http_address(&library, connection) else { return "" }
    return unsafe SocketAddress(copying: address)?.text ?? ""
  }

  @unsafe
  fileprivate func send(
    _ response: HTTPResponse, of exchange: HTTPExchange, on connection: OpaquePointer
  ) -> MHD_Result {
    let response = reserve(response, for: exchange, unsafe descriptor(of: connection))
    log(exchange, response)
    dropBody(of: exchange)
    var library = unsafe library
    let message = unsafe response.body.withUnsafeBytes { body in
      unsafe peersync_http_respond(&library, body.baseAddress, body.count)
    }
    // The library has copied the body.
    exchange.response?.body = []
    exchange.early = nil
    guard let message = unsafe message else { return .NO }
    defer { unsafe peersync_http_release(&library, message) }
    // The records of a household are private, and they change.
    for field in response.fields + [.init("Cache-Control", "no-store")] {
      unsafe peersync_http_add(&library, message, field.name, field.value)
    }
    if response.closes || isStopping { unsafe peersync_http_add(&library, message, "Connection", "close") }
    return unsafe peersync_http_queue(&library, connection, UInt32(response.status), message)
  }
}

extension HTTPServer {
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// The response to a request before its body is read.
  func refusal(of exchange: HTTPExchange) -> HTTPResponse? {
    if let fault = RequestGuard.fault(of: exchange.head) { return .refusal(fault) }
    let answer = admit(exchange)
    if answer.map({ $0.status < 400 }) ?? true, let fault = RequestGuard.bodyFault(of: exchange.head) {
      return .refusal(fault)
    }
    if answer == nil, let coding = exchange.head.contentCoding {
      return .unsupported(coding)
    }
    if var refusal = answer {
      // The rest of the body must not be read as a request.
      let hasBody = exchange.head["Transfer-Encoding"] != nil || exchange.head["Content-Length"] ?? "0" != "0"
      if hasBody { refusal.closes = true }
      return refusal
    }
    let length = exchange.head["Content-Length"].flatMap { Int($0) } ?? 0
    if length > exchange.longestBody {
      var refusal = HTTPResponse.tooLarge(exchange)
      // A client that expects 100 has not sent its body yet.
      refusal.closes = length > Self.mostSkipped || exchange.head["Expect"] != nil
      return refusal
    }
    let hasRoom = state.withLock { $0.bodies.hasRoom(for: length, of: exchange.sender, in: limits.bodies) }
    return hasRoom ? nil : .busy(closes: true)
  }

  /// The maximum size in bytes of a body above the limit that is skipped before the answer.
  ///
  /// Many clients, and proxies such as nginx, lose the answer if the connection ends while they send.
  private static let mostSkipped = 64 << 20

  /// Reads a part of a body, and extends the deadline of the request.
  ///
  /// The time left is never more than for a new request, so a fast part does not pay for a later silence.
  /// Above a limit, the rest is skipped, and the request is refused at its end.
  func receive(_ bytes: UnsafeRawBufferPointer, of exchange: HTTPExchange, _ raw: CInt) {
    if exchange.early != nil {
      // A body without a length could be skipped without end.
      if exchange.head["Content-Length"] != nil { extend(raw, by: bytes.count) }
      return
    }
    let isTooLarge = exchange.body.count + bytes.count > exchange.longestBody
    let hasRoom = state.withLock { state in
      guard !isTooLarge, state.bodies.hasRoom(for: bytes.count, of: exchange.sender, in: limits.bodies) else {
        return false
      }
      state.bodies.add(bytes.count, of: exchange.sender)
      return true
    }
    if hasRoom { extend(raw, by: bytes.count) }
    if hasRoom { return unsafe exchange.body.append(contentsOf: bytes) }
    dropBody(of: exchange)
    exchange.early = isTooLarge ? .tooLarge(exchange) : .busy(closes: true)
  }

  private func extend(_ raw: CInt, by count: Int) {
    let now = SystemClock.monotonic()
    state.withLock { state in
      guard let deadline = state.deadlines[raw] else { return }
      state.deadlines[raw] = min(deadline + limits.time(for: count), now + limits.arrival)
    }
  }

  private func dropBody(of exchange: HTTPExchange) {
    state.withLock { $0.bodies.add(-exchange.body.count, of: exchange.sender) }
    exchange.body = []
  }

  /// Counts an answer until it is sent, and sets its deadline.
  ///
  /// If the answer exceeds the memory limit, an error is sent instead.
  func reserve(_ response: HTTPResponse, for exchange: HTTPExchange, _ raw: CInt) -> HTTPResponse {
    let now = SystemClock.monotonic()
    return state.withLock { state in
      let size = response.body.count
      let hasRoom = state.answers.hasRoom(for: size, of: exchange.sender, in: limits.answers)
      let answer = hasRoom ? response : .busy(closes: true)
      exchange.sending = answer.body.count
      state.answers.add(exchange.sending, of: exchange.sender)
      state.deadlines[raw] = now + limits.arrival + limits.time(for: exchange.sending)
      return answer
    }
  }

  /// Starts to handle a request; false if no more requests are accepted.
  func begin(_ exchange: HTTPExchange, _ raw: CInt) -> Bool {
    let isTaken = state.withLock { state in
      if state.isStopping { return false }
      state.working += 1
      state.deadlines[raw] = nil
      return true
    }
    guard isTaken else { return false }
    exchange.suspend()
    work(exchange)
    return true
  }

  func release(_ exchange: HTTPExchange, _ raw: CInt) {
    let now = SystemClock.monotonic()
    dropBody(of: exchange)
    state.withLock { state in
      state.begun.remove(raw)
      state.answers.add(-exchange.sending, of: exchange.sender)
      if exchange.response != nil { state.working -= 1 }
      // The next request has its own deadline; an idle connection is closed by the `silence` limit.
      if state.deadlines[raw] != nil { state.deadlines[raw] = now + limits.arrival }
    }
  }

  /// Notes that a connection was opened or closed; when the last free one is opened, the longest idle one is
  /// closed.
  func note(_ raw: CInt, isOpen: Bool) {
    let deadline = SystemClock.monotonic() + limits.arrival
    state.withLock { state in
      state.open += isOpen ? 1 : -1
      state.begun.remove(raw)
      if isOpen, state.open >= connections, let idle = state.idlest {
        ServerSocket.end(idle)
        state.deadlines[idle] = nil
      }
      state.deadlines[raw] = isOpen ? deadline : nil
    }
  }

  func noteHead(_ raw: CInt) { _ = state.withLock { $0.begun.insert(raw) } }
}

extension HTTPServer.State {
  /// The connection that has waited longest for the head of a request.
  fileprivate var idlest: CInt? {
    deadlines.filter { !begun.contains($0.key) }.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
