internal import CMicrohttpdOnDemand
import JSONLines
package import ServerProtocol
import Synchronization
package import SystemIO

/// An HTTP/1.1 server: a few threads read the bytes of all connections and pass on complete requests.
///
/// A request that waits for its answer is suspended, so it uses only its connection.
///
/// This is safe because the daemon exists from `init` until `stop`, and calls back for each connection on one
/// thread only.
@safe
package final class HTTPServer: Sendable {
  package struct Limits: Sendable {
    package var connections = 20_000
    package var threads = 2
    /// The maximum body of one request, in bytes.
    package var body = 64 << 20
    /// The maximum for the bodies of all requests being read, in bytes; at least twice `body`, because one
    /// sender may have half.
    package var bodies = 256 << 20
    /// The maximum for the bodies of all answers being sent, in bytes; one sender may have half, or a single
    /// larger answer.
    package var answers = 256 << 20
    /// The maximum head of a request, in bytes.
    package var head = 16 << 10
    /// The longest idle time of a connection.
    package var silence = Duration.seconds(30)
    /// The longest time for a small request to arrive, and for the other side to read a small answer.
    ///
    /// A larger request may be this far behind its ``speed`` at any time.
    package var arrival = Duration.seconds(60)
    /// The number of bytes of a larger request or answer that must get through per second.
    package var speed = 4 << 10
    /// The additional time for so many bytes.
    func time(for bytes: Int) -> Duration { .nanoseconds(bytes * 1_000_000_000 / speed) }

    package init() {}
  }

  /// The response to a request before its body is read; nil to read the body.
  package typealias Admission = @Sendable (HTTPExchange) -> HTTPResponse?
  /// Starts handling a complete request; ``HTTPExchange/answer(_:)`` ends it.
  package typealias Work = @Sendable (HTTPExchange) -> Void
  /// Receives each answer.
  package typealias Log = @Sendable (HTTPExchange, HTTPResponse) -> Void

  /// The number of connections that can be open at once.
  package let connections: Int
  let limits: Limits
  let admit: Admission
  let work: Work
  let log: Log
  let state = Mutex(State())
  nonisolated(unsafe) private var daemon: OpaquePointer?
  /// The functions of the library; unchanged after the server has started.
  nonisolated(unsafe) private(set) var library = peersync_libmicrohttpd()

  struct State {
    /// The deadline of each connection that must send a request or read an answer, by its descriptor.
    var deadlines: [CInt: Duration] = [:]
    /// The descriptors of connections from which the head of a request has arrived.
    var begun: Set<CInt> = []
    var open = 0
    /// The bytes of all bodies that are in memory.
    var bodies = SenderBytes()
    /// The bytes of all answers that are being sent.
    var answers = SenderBytes()
    /// Requests that are being answered.
    var working = 0
    var isStopping = false
  }

  package init(
    _ listener: HTTPListener, _ limits: Limits, admit: @escaping Admission, work: @escaping Work,
    log: @escaping Log
  ) throws {
    (self.limits, self.admit, self.work, self.log) = (limits, admit, work, log)
    unsafe daemon = nil
    // Some descriptors are reserved for the stores.
    let files = DescriptorLimit.raise()
    connections = min(limits.connections, files - min(256, files / 4))
    guard unsafe peersync_libmicrohttpd_load(&library) != 0 else {
      ServerSocket.close(listener.raw)
      throw Diagnostic.missing("libmicrohttpd", package: "libmicrohttpd12")
    }
    let started = unsafe peersync_http_start(
      &library, listener.raw, UInt32(limits.threads), UInt32(connections), limits.head,
      UInt32(limits.silence.components.seconds),
      handleRequest,
      endRequest, noteConnection, Unmanaged.passUnretained(self).toOpaque())
    guard let started = unsafe started else {
      ServerSocket.close(listener.raw)
      throw SystemError(.listen, listener.text, code: ENOTSUP)
    }
    unsafe daemon = started
  }

  /// Closes connections whose request or answer took too long; returns the time of the next check.
  package func tend(at now: Duration) -> Duration {
    state.withLock { state in
      for (raw, deadline) in state.deadlines where deadline <= now {
        // The library then closes the connection.
        ServerSocket.end(raw)
        state.deadlines[raw] = nil
      }
    }
    return now + .seconds(1)
  }

  /// The descriptors needed for a few connections and their stores.
  package static let neededDescriptors = 64

  /// Stops accepting requests, and waits until the pending requests are answered, at most until `deadline`;
  /// false if requests are still pending then.
  ///
  /// In the meantime, the caller must answer its waiting requests. `MHD_quiesce_daemon` is not used: with
  /// epoll, it races with the library's threads to remove the listener, and the loser aborts the process.
  @discardableResult
  package func stop(until deadline: Duration) -> Bool {
    state.withLock { $0.isStopping = true }
    while state.withLock({ $0.working > 0 }), SystemClock.monotonic() < deadline {
      SystemClock.sleep(.milliseconds(10))
    }
    // A request that is still suspended would block the library forever.
    guard state.withLock({ $0.working == 0 }) else {
      // The library's threads use this object until the process ends.
      _ = unsafe Unmanaged.passRetained(self).toOpaque()
      return false
    }
    unsafe peersync_http_stop(&library, daemon)
    unsafe daemon = nil
    return true
  }
}

/// One request, from its head to its answer.
///
/// This is safe because the fields belong to the connection's thread until handling starts, then to the
/// worker, and after `answer` to that thread again.
@safe
package final class HTTPExchange: @unchecked Sendable {
  package let head: RequestHead
  /// The address of the other side.
  package let remote: String
  package let begun: Duration
  package internal(set) var body: [UInt8] = []
  /// Facts found at admission, for the worker.
  package var facts: (any Sendable)?
  /// The maximum body in bytes; admission may lower it.
  package var longestBody: Int
  /// The sender of the request, found at admission; the memory for its requests and answers is limited.
  package var sender: String?
  private let server: HTTPServer
  private let connection: OpaquePointer
  var response: HTTPResponse?
  /// The response decided before the request is handled; the rest of its body is skipped.
  var early: HTTPResponse?
  /// The bytes of the answer that is being sent.
  var sending = 0

  init(_ head: RequestHead, from remote: String, _ server: HTTPServer, _ connection: OpaquePointer) {
    (self.head, self.remote, self.server) = (head, remote, server)
    unsafe self.connection = connection
    longestBody = server.limits.body
    begun = SystemClock.monotonic()
  }

  /// Answers the request; called once, from any thread.
  package func answer(_ response: HTTPResponse) {
    self.response = response
    unsafe server.resume(connection)
  }

  func suspend() {
    unsafe server.suspend(connection)
  }
}

/// The response to a request.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var fields: [RequestHead.Field]
  package var body: [UInt8]
  /// Whether the connection must not be used again.
  package var closes = false

  package init(_ status: Int, _ fields: [RequestHead.Field] = [], _ body: [UInt8] = []) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }

  func adding(_ more: [RequestHead.Field]) -> HTTPResponse {
    var response = self
    response.fields += more
    return response
  }
}

/// The listening socket of an HTTP server: a port, or a path on this machine.
package struct HTTPListener: Sendable {
  /// The address of the server, as messages show it: `127.0.0.1:8477` or `unix:/run/peersync.sock`.
  package let text: String
  /// The port; 0 for a path.
  package let port: Int
  let raw: CInt

  /// Listens on a port of one address; 0 means any free port.
  package init(host: String, port: Int) throws(SystemError) {
    (raw, self.port) = try ServerSocket.listen(host: host, port: port)
    text = host.contains(":") ? "[\(host)]:\(self.port)" : "\(host):\(self.port)"
  }

  /// Listens on a path; replaces a socket on which no process listens.
  ///
  /// Anyone who may write to the socket may connect.
  package init(path: String) throws(SystemError) {
    raw = try ServerSocket.listen(at: path)
    (text, port) = ("unix:\(path)", 0)
  }
}
