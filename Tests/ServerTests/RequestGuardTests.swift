import ServerProtocol
import Testing

/// Every request that two programs could interpret differently is refused.
@Suite struct RequestGuardTests {
  private static let host = RequestHead.Field("Host", "a")

  private func fault(
    _ fields: [RequestHead.Field], method: String = "POST", version: String = "HTTP/1.1",
    path: String = "/changes"
  ) -> String? {
    let head = RequestHead(method: method, path: path, version: version, fields: fields, query: [])
    return RequestGuard.fault(of: head) ?? RequestGuard.bodyFault(of: head)
  }

  @Test(
    arguments: [
      [.init("Content-Length", "3")], [.init("content-length", "0")], [.init("Transfer-Encoding", "chunked")],
      [.init("TRANSFER-ENCODING", "Chunked")], [.init("X-Some_Thing", "3")], [],
    ] as [[RequestHead.Field]])
  func clearOnes(fields: [RequestHead.Field]) { #expect(fault([Self.host] + fields) == nil) }

  @Test(
    arguments: [
      [.init("Content-Length", "3"), .init("Transfer-Encoding", "chunked")],
      [.init("Content-Length", "3"), .init("Content-Length", "3")],
      [.init("Content-Length", "3"), .init("content-length", "4")],
      [.init("Content-Length", "3, 3")], [.init("Content-Length", "+3")], [.init("Content-Length", "-1")],
      [.init("Content-Length", "0x3")], [.init("Content-Length", " 3")], [.init("Content-Length", "")],
      [.init("Content-Length", "9999999999999999999999")], [.init("Content-Length ", "3")],
      [.init("Content_Length", "3")],
      [.init("Transfer_Encoding", "chunked")], [.init("Transfer-Encoding", "gzip, chunked")],
      [.init("Transfer-Encoding", "chunked, identity")], [.init("Transfer-Encoding", "xchunked")],
      [.init("Transfer-Encoding", "chunked"), .init("Transfer-Encoding", "chunked")],
      [.init("Transfer-Encoding", "\u{0B}chunked")], [.init("Trans\u{0}fer", "a")], [.init("", "a")],
      [.init("A:B", "a")],
      [.init("A", "a\r\nContent-Length: 5")], [.init("A", "a\u{7F}")], [.init("Host", "b")],
      [.init("Authorization", "Bearer a"), .init("Authorization", "Bearer b")],
    ] as [[RequestHead.Field]])
  func unclearOnes(fields: [RequestHead.Field]) { #expect(fault([Self.host] + fields) != nil) }

  @Test func theRest() {
    #expect(fault([]) == "not exactly one Host header")
    #expect(fault([], version: "HTTP/1.0") == nil)
    #expect(fault([.init("Transfer-Encoding", "chunked")], version: "HTTP/1.0") != nil)
    #expect(fault([Self.host], version: "HTTP/2.0") != nil)
    #expect(fault([Self.host, .init("Content-Length", "1")], method: "GET") == "a GET with a body")
    #expect(fault([Self.host, .init("Content-Length", "0")], method: "GET") == nil)
    #expect(fault([Self.host], path: "http://b/changes") == "the target is not a path")
    #expect(fault([Self.host], path: "*") != nil)
  }

  @Test func aFieldThatStandsTwiceHasNoValue() {
    let head = RequestHead(
      method: "GET", path: "/", version: "HTTP/1.1",
      fields: [.init("A", "1"), .init("a", "2"), .init("B", "3")],
      query: [.init("x", "1"), .init("x", "2"), .init("X", "3")])
    #expect(head["a"] == nil && head["b"] == "3" && head.query("x") == nil && head.query("X") == "3")
  }
}
