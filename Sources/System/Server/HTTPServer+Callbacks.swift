internal import CMicrohttpd
import ServerProtocol
import Synchronization
import SystemIO

/// The library calls this for the head of a request, for each part of its body, and once more at its end and after each
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
      version: version.map { unsafe String(cString: $0) } ?? "", fields: pairs(of: connection, .HEADER_KIND),
      query: pairs(of: connection, .GET_ARGUMENT_KIND))
    let exchange = unsafe HTTPExchange(head, from: address(of: connection), server, connection)
    unsafe slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    server.noteHead(unsafe peersync_http_descriptor(connection))
    guard let refusal = server.refusal(of: exchange) else { return .YES }
    if !refusal.closes {
      // There is no body: the connection can go on.
      exchange.early = refusal
      return .YES
    }
    return unsafe send(refusal, of: exchange, server, on: connection)
  }
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(present).takeUnretainedValue()
  if unsafe size.pointee > 0 {
    if let bytes = unsafe bytes {
      unsafe server.receive(UnsafeRawBufferPointer(start: bytes, count: size.pointee), of: exchange)
    }
    unsafe size.pointee = 0
    return .YES
  }
  if let response = exchange.response ?? exchange.early {
    return unsafe send(response, of: exchange, server, on: connection)
  }
  if exchange.isTooLarge {
    return unsafe send(.tooLarge(server.limits.body), of: exchange, server, on: connection)
  }
  guard server.begin(exchange, unsafe peersync_http_descriptor(connection)) else {
    return unsafe send(.busy(closes: true), of: exchange, server, on: connection)
  }
  return .YES
}

/// The answer is out, or the connection has broken off.
let endRequest: MHD_RequestCompletedCallback = { user, connection, slot, _ in
  guard let user = unsafe user, let slot = unsafe slot, let present = unsafe slot.pointee else { return }
  let server = unsafe Unmanaged<HTTPServer>.fromOpaque(user).takeUnretainedValue()
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(present).takeRetainedValue()
  unsafe slot.pointee = nil
  let raw = unsafe connection.map { unsafe peersync_http_descriptor($0) } ?? -1
  server.release(exchange, raw)
}

let noteConnection: MHD_NotifyConnectionCallback = { user, connection, _, event in
  guard let user = unsafe user, let connection = unsafe connection else { return }
  let server = unsafe Unmanaged<HTTPServer>.fromOpaque(user).takeUnretainedValue()
  server.note(unsafe peersync_http_descriptor(connection), isOpen: event.rawValue == 0)
}

/// Headers or the query, in their order.
@unsafe
private func pairs(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [RequestHead.Field] {
  var pairs: [RequestHead.Field] = []
  unsafe withUnsafeMutablePointer(to: &pairs) { pairs in
    _ = unsafe MHD_get_connection_values_n(
      connection, kind,
      { user, _, name, nameSize, value, valueSize in
        guard let user = unsafe user else { return .YES }
        let pairs = unsafe user.assumingMemoryBound(to: [RequestHead.Field].self)
        unsafe pairs.pointee.append(.init(text(name, nameSize), text(value, valueSize)))
        return .YES
      }, pairs)
  }
  return pairs
}

/// With a zero byte in it where there is one.
@unsafe
private func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String {
  unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size), as: UTF8.self)
}

@unsafe
private func address(of connection: OpaquePointer) -> String {
  guard let address = unsafe peersync_http_address(connection) else { return "" }
  return unsafe SocketAddress(copying: address)?.text ?? ""
}

@unsafe
private func send(
  _ response: HTTPResponse, of exchange: HTTPExchange, _ server: HTTPServer, on connection: OpaquePointer
) -> MHD_Result {
  server.log(exchange, response)
  let message = unsafe response.body.withUnsafeBytes { body in
    unsafe MHD_create_response_from_buffer(
      body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
  }
  guard let message = unsafe message else { return .NO }
  defer { unsafe MHD_destroy_response(message) }
  // The records of a household are private, and change.
  for field in response.fields + [.init("Cache-Control", "no-store")] {
    _ = unsafe MHD_add_response_header(message, field.name, field.value)
  }
  if response.closes || server.isStopping {
    _ = unsafe MHD_add_response_header(message, "Connection", "close")
  }
  return unsafe MHD_queue_response(connection, UInt32(response.status), message)
}

extension HTTPServer {
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// The response to a request before its body is read.
  func refusal(of exchange: HTTPExchange) -> HTTPResponse? {
    if let fault = RequestGuard.fault(of: exchange.head) { return .refusal(fault) }
    if let length = exchange.head["Content-Length"].flatMap({ Int($0) }), length > limits.body {
      return .tooLarge(limits.body)
    }
    let answer = admit(exchange)
    if answer.map({ $0.status < 400 }) ?? true, let fault = RequestGuard.bodyFault(of: exchange.head) {
      return .refusal(fault)
    }
    if var refusal = answer {
      // The rest of its body must not be read as a request.
      let hasBody = exchange.head["Transfer-Encoding"] != nil || exchange.head["Content-Length"] ?? "0" != "0"
      if hasBody { refusal.closes = true }
      return refusal
    }
    if state.withLock({ $0.bodies > limits.bodies }) { return .busy(closes: true) }
    return nil
  }

  /// A part of a body; what is above the limit is passed over, and answered so at its end.
  func receive(_ bytes: UnsafeRawBufferPointer, of exchange: HTTPExchange) {
    if exchange.isTooLarge { return }
    if exchange.body.count + bytes.count > limits.body {
      state.withLock { $0.bodies -= exchange.body.count }
      exchange.body = []
      exchange.isTooLarge = true
      return
    }
    unsafe exchange.body.append(contentsOf: bytes)
    state.withLock { $0.bodies += bytes.count }
  }

  /// False where no more requests are taken.
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
    state.withLock { state in
      state.begun.remove(raw)
      state.bodies -= exchange.body.count
      if exchange.response != nil { state.working -= 1 }
      // The next request has its own time; one that stays idle ends by its silence.
      if state.deadlines[raw] != nil || exchange.response != nil {
        state.deadlines[raw] = now + limits.arrival
      }
    }
    exchange.body = []
  }

  /// When the last free connection is opened, the one that has been idle longest is closed.
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
  /// The connection that has waited for longest for the head of a request.
  fileprivate var idlest: CInt? {
    deadlines.filter { !begun.contains($0.key) }.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
