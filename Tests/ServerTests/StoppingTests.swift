import JSONLines
import Remotes
import Server
import ServerProtocol
import Synchronization
import SystemIO
import Testing

/// Tests how a server stops, and what its clients see meanwhile.
@Suite struct StoppingTests {
  /// Holds the first request of one method, and answers all others.
  private final class Work: Sendable {
    private let method: String
    private let held = Mutex<HTTPExchange?>(nil)
    var isBegun: Bool { held.withLock { $0 != nil } }

    init(holding method: String) { self.method = method }

    private func begin(_ exchange: HTTPExchange) {
      let isHeld = held.withLock { held in
        guard held == nil, exchange.head.method == method else { return false }
        held = exchange
        return true
      }
      if !isHeld { exchange.answer(HTTPResponse(200)) }
    }

    func serve(at listener: HTTPListener) throws -> HTTPServer {
      try HTTPServer(listener, HTTPServer.Limits()) { _ in
        nil
      } work: {
        self.begin($0)
      } log: { _, _ in
      }
    }

    func finish() { held.withLock { $0 }?.answer(HTTPResponse(200)) }
  }

  @Test func whatHasComeIsAnsweredAndNothingElse() throws {
    let listener = try HTTPListener(host: "127.0.0.1", port: 0)
    let (port, work) = (listener.port, Work(holding: "GET"))
    let http = try work.serve(at: listener)
    let ask = { @Sendable (patience: Duration) in
      var settings = HTTPClient.Settings(url: "http://127.0.0.1:\(port)", key: "")
      settings.patience = patience
      return try HTTPClient(settings).send("GET", "/", [], body: nil)
    }
    let first = BackgroundCall { try ask(.seconds(60)) }
    while !work.isBegun { SystemClock.sleep(.milliseconds(1)) }
    let stop = BackgroundCall { http.stop(until: SystemClock.monotonic() + .seconds(60)) }
    // A client that is asked to retry does so until its time is over.
    while try ask(.seconds(1)).status == 200 {}
    let late = try ask(.seconds(1))
    #expect(late.status == 503 && late["Connection"] == "close" && late["Retry-After"] == "1")
    #expect(first.outcome == nil && stop.outcome == nil)
    work.finish()
    while first.outcome == nil || stop.outcome == nil { SystemClock.sleep(.milliseconds(1)) }
    #expect(try first.outcome?.get().status == 200)
    #expect(throws: (any Error).self) { try ask(.seconds(1)) }
  }

  /// The second request uses the connection of the first.
  @Test func aServerThatDoesNotAnswerIsNotAway() throws {
    let listener = try HTTPListener(host: "127.0.0.1", port: 0)
    let (port, work) = (listener.port, Work(holding: "POST"))
    let http = try work.serve(at: listener)
    var settings = HTTPClient.Settings(url: "http://127.0.0.1:\(port)", key: "")
    settings.patience = .seconds(1)
    let client = try HTTPClient(settings)
    #expect(try client.send("GET", "/", [], body: nil).status == 200)
    let error = #expect(throws: Diagnostic.self) { try client.send("POST", "/", [], body: []) }
    #expect(error?.code == .timedOut)
    #expect(!http.stop(until: SystemClock.monotonic()))
    work.finish()
    #expect(http.stop(until: SystemClock.monotonic() + .seconds(60)))
  }
}
