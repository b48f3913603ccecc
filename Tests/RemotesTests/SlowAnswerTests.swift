import JSONLines
import Remotes
import SyncCore
import SystemIO
import TestSupport
import Testing

/// An answer that never ends, although bytes arrive.
@Test(.endsHangs) func aRequestEndsAlthoughItsAnswerDoesNot() throws {
  let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
  let port = listener.port
  let request = BackgroundCall {
    var settings = HTTPClient.Settings(url: "http://127.0.0.1:\(port)", key: "")
    settings.longest = .seconds(1)
    return try HTTPClient(settings).send("GET", "/", [], body: nil)
  }
  var connection: Connection?
  while connection == nil { connection = try listener.accept() }
  let far = try #require(connection)
  _ = try far.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8).span)
  while request.outcome == nil {
    var polls = PollSet()
    polls.wait(until: SystemClock.monotonic() + .milliseconds(20))
    // It fails when the client has hung up.
    _ = try? far.write([UInt8(ascii: "x")].span)
  }
  #expect {
    try request.outcome?.get()
  } throws: { ($0 as? Diagnostic)?.code == .timedOut }
}
