import JSONLines
@testable import Remotes
import ServerProtocol
import Testing

/// A run that only a proxy has answered has not reached the server.
@Suite struct ProxyAnswerTests {
  /// Answers each request with a status and a body.
  private struct Proxy: ServerTransport {
    let status: Int
    let body: String
    var received: Int { 0 }
    var sent: Int { 0 }

    func send(
      _ method: String, _ path: String, _ fields: [RequestHead.Field], body sent: [UInt8]?
    ) throws -> HTTPClient.Answer {
      var answer = HTTPClient.Answer()
      (answer.status, answer.body) = (status, Array(body.utf8))
      return answer
    }
  }

  @Test(arguments: [
    (502, "<html>", ErrorCode.remoteUnreachable), (504, "", .peerBusy),
    (502, #"{"error":{"code":"peerBusy","message":"busy"}}"#, .remoteUnreachable),
    (503, "<html>", .remoteUnreachable), (503, #"{"error":{"code":"peerBusy","message":"busy"}}"#, .peerBusy),
    (500, "<html>", .peerBusy), (429, "", .peerBusy),
  ])
  func aProxyIsNotTheServer(status: Int, body: String, code: ErrorCode) {
    let error = #expect(throws: Diagnostic.self) {
      try ServerRemote.id(of: Proxy(status: status, body: body))
    }
    #expect(error?.code == code && error?.hint != nil)
  }
}
