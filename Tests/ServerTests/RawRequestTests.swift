import Foundation
import Remotes
import Server
import Store
import SyncCore
import Testing

/// Requests that a stranger can send, byte by byte.
@Suite struct RawRequestTests {
  private let server: TestServer
  init() throws { server = try TestServer { ($0.body, $0.silence) = (1_000_000, .seconds(1)) } }

  /// Sends bytes, and reads until the server closes; the status lines of all answers.
  private func statuses(_ text: String) throws -> [String] {
    let raw = try server.connect()
    defer { close(raw) }
    let bytes = Array(text.utf8)
    _ = unsafe send(raw, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if !text.hasSuffix(Self.inner) { shutdown(raw, Int32(SHUT_WR)) }
    var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = unsafe recv(raw, &buffer, buffer.count, 0)
      if count <= 0 { break }
      answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self).components(separatedBy: "HTTP/1.1 ").dropFirst()
      .map { String($0.prefix(3)) }
  }

  private var head: String { "POST /changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(server.key)\r\n" }
  private static let inner = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  @Test func twoRequestsOnOneConnectionAreTwo() throws {
    #expect(try statuses(head + "Content-Length: 0\r\n\r\n" + Self.inner) == ["200", "200"])
  }

  /// The second request is in the part that one reader takes for the body: it gets no answer, and the
  /// connection ends.
  @Test(arguments: [
    "Content-Length: 0\r\nContent-Length: 57\r\n", "Content-Length: 57\r\nContent-Length: 0\r\n",
    "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: 57\r\n",
    "Content-Length : 0\r\n", "Content-Length: 0,57\r\n", "Content-Length: +0\r\n",
    "Transfer-Encoding: xchunked\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "Transfer-Encoding : chunked\r\n",
    "Content_Length: 57\r\n", "Transfer-Encoding: identity\r\n",
  ])
  func nothingIsSmuggled(fields: String) throws {
    let found = try statuses(head + fields + "\r\n" + Self.inner)
    // libmicrohttpd writes the head of an error of its own twice.
    #expect(found.allSatisfy { $0 == "400" }, "\(found)")
    #expect(try server.store().currentToken().sequence == 0)
  }

  @Test func aBodyThatIsTooLargeIsRefused() throws {
    #expect(try statuses(head + "Content-Length: 1000001\r\n\r\n") == ["413"])
    let chunk = "186a0\r\n" + String(repeating: " ", count: 100_000) + "\r\n"
    let body = String(repeating: chunk, count: 11) + "0\r\n\r\n"
    #expect(try statuses(head + "Transfer-Encoding: chunked\r\n\r\n" + body) == ["413"])
  }

  @Test func aHeadThatIsTooLargeIsRefused() throws {
    let found = try statuses(head + "X: " + String(repeating: "a", count: 40_000) + "\r\n\r\n")
    #expect(found == ["431"] || found == ["413"] || found == [])
  }

  @Test func whatIsNoHTTPGetsNothingElse() throws {
    for text in [
      "\u{0}\u{1}\u{2}", "GET\r\n\r\n", "\r\n\r\n\r\n", "POST /changes HTTP/9.9\r\nHost: a\r\n\r\n",
    ] {
      #expect(try statuses(text).allSatisfy { $0 == "400" || $0 == "505" })
    }
    #expect(try statuses(Self.inner) == ["200"])
  }
}

/// A request that never ends.
@Suite struct SlowRequestTests {
  @Test func theConnectionEnds() throws {
    let server = try TestServer { $0.arrival = .milliseconds(300) }
    let raw = try server.connect()
    defer { close(raw) }
    // An occasional byte is not silence.
    var count = 0
    for byte in Array("POST /changes HTTP/1.1\r\nHost: a".utf8) {
      var byte = byte
      guard unsafe send(raw, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 else { break }
      count += 1
      usleep(50_000)
    }
    #expect(count < 31)
  }
}

/// Strangers who connect and send nothing.
@Suite struct IdleConnectionTests {
  @Test func theOldestMakesRoom() throws {
    let server = try TestServer { $0.connections = 4 }
    var idle: [Int32] = []
    defer { for raw in idle { close(raw) } }
    for _ in 0..<12 {
      idle.append(try server.connect())
      usleep(10_000)
    }
    #expect(try server.client().send("GET", "/health", [], body: nil).status == 200)
    // The first one has seen its end.
    var byte: UInt8 = 0
    #expect(unsafe recv(idle[0], &byte, 1, 0) == 0)
  }
}

extension TestServer {
  /// A connection on which nothing is sent.
  fileprivate func connect() throws -> Int32 {
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Foundation.connect(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    return raw
  }
}
