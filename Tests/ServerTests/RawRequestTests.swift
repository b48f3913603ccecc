import Foundation
import Remotes
import Server
import Store
import SyncCore
import SystemIO
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
    #expect(try statuses(head + "Expect: 100-continue\r\nContent-Length: 1000001\r\n\r\n") == ["413"])
    let chunk = "186a0\r\n" + String(repeating: " ", count: 100_000) + "\r\n"
    let body = String(repeating: chunk, count: 11) + "0\r\n\r\n"
    #expect(try statuses(head + "Transfer-Encoding: chunked\r\n\r\n" + body) == ["413"])
  }

  /// A body above the limit of its path or of the server is skipped, and the connection goes on.
  @Test(arguments: [("/devices", 66_000), ("/changes", 4_000_000)])
  func aBodyThatIsTooLargeIsSkipped(path: String, size: Int) throws {
    let body = "Content-Length: \(size)\r\n\r\n" + String(repeating: " ", count: size)
    let found = try statuses(head.replacing("POST /changes", with: "POST \(path)") + body + Self.inner)
    #expect(found == ["413", "200"])
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

  /// Each part of a body extends the deadline, so a slow connection can send a large one.
  @Test func aLargeRequestHasMoreTime() throws {
    let server = try TestServer { ($0.arrival, $0.speed) = (.seconds(3), 100) }
    let raw = try server.connect()
    defer { close(raw) }
    let part = String(repeating: "\n", count: 100)
    try server.send(server.head() + "Content-Length: 2000\r\n\r\n", to: raw)
    for _ in 0..<20 {
      usleep(300_000)
      try server.send(part, to: raw)
    }
    #expect(server.status(from: raw) == "200")
  }

  /// After a large part that arrives at once, a byte now and then is as slow as at the beginning.
  @Test func aFastPartDoesNotPayForASilence() throws {
    let server = try TestServer { ($0.arrival, $0.speed) = (.milliseconds(500), 100) }
    let raw = try server.connect()
    defer { close(raw) }
    let part = String(repeating: "\n", count: 10_000)
    try server.send(server.head() + "Content-Length: 20000\r\n\r\n" + part, to: raw)
    var (count, byte) = (0, UInt8(ascii: "\n"))
    while count < 100, unsafe send(raw, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 {
      count += 1
      usleep(50_000)
    }
    #expect(count < 100)
  }
}

/// Clients who send much at once, or do not read.
@Suite struct MemoryTests {
  /// Requests whose heads have no length, so that they are all let in.
  @Test func bodiesAtOnceAreBounded() throws {
    let server = try TestServer { ($0.body, $0.bodies) = (1_000_000, 300_000) }
    let chunk = "249f0\r\n" + String(repeating: "\n", count: 150_000) + "\r\n"
    let keys = try server.moreKeys(3)
    let sockets = try keys.map { _ in try server.connect() }
    defer { for raw in sockets { close(raw) } }
    for (raw, key) in zip(sockets, keys) {
      try server.send(server.head(key) + "Transfer-Encoding: chunked\r\n\r\n", to: raw)
    }
    for raw in sockets { try server.send(chunk, to: raw) }
    for raw in sockets { try server.send("0\r\n\r\n", to: raw) }
    let statuses = sockets.map { server.status(from: $0) }
    // Parts of all three may arrive in turn; then more than one is refused.
    #expect(statuses.contains("503") && Set(statuses).isSubset(of: ["200", "503"]), "\(statuses)")
    #expect(try server.client().send("POST", "/changes", [], body: [10]).status == 200)
  }

  /// A request with a length is refused before its body is read; one without a body is answered.
  @Test func aBodyWithoutRoomIsNotRead() throws {
    let server = try TestServer { ($0.body, $0.bodies) = (150_000, 300_000) }
    let keys = try server.moreKeys(3)
    let heads = keys.map { server.head($0) + "Content-Length: 150000\r\n\r\n" }
    let sockets = try (0..<2).map { _ in try server.connect() }
    defer { for raw in sockets { close(raw) } }
    for (raw, head) in zip(sockets, heads) {
      try server.send(head + String(repeating: "\n", count: 149_999), to: raw)
    }
    #expect(try server.refusal(of: heads[2]) == "503")
    #expect(try server.client().send("GET", "/changes", [], body: nil).status == 200)
  }

  /// A push of the app, and the data of a device, have lower limits than `--max-body`, with and without a
  /// length.
  @Test(arguments: ["/sync", "/devices"])
  func aBodyAboveTheLimitOfItsPathIsNotRead(path: String) throws {
    let server = try TestServer()
    let head = server.head().replacing("POST /changes", with: "POST \(path)")
    let sockets = try (0..<2).map { _ in try server.connect() }
    defer { for raw in sockets { close(raw) } }
    try server.send(head + "Expect: 100-continue\r\nContent-Length: 17000000\r\n\r\n", to: sockets[0])
    #expect(server.status(from: sockets[0]) == "413")
    let part = "f4240\r\n" + String(repeating: " ", count: 1_000_000) + "\r\n"
    try server.send(head + "Transfer-Encoding: chunked\r\n\r\n", to: sockets[1])
    for _ in 0..<17 { try server.send(part, to: sockets[1]) }
    try server.send("0\r\n\r\n", to: sockets[1])
    #expect(server.status(from: sockets[1]) == "413")
  }

  /// While a key holds half of the memory, its other requests are refused, and those of other keys are not.
  @Test func theBodiesOfOneKeyLeaveRoomForOthers() throws {
    let server = try TestServer { ($0.body, $0.bodies) = (150_000, 300_000) }
    let head = server.head() + "Content-Length: 150000\r\n\r\n"
    let raw = try server.connect()
    defer { close(raw) }
    try server.send(head + String(repeating: "\n", count: 149_999), to: raw)
    #expect(try server.refusal(of: head) == "503")
    let body = [UInt8](repeating: 10, count: 150_000)
    let other = try server.moreKeys(1)[0]
    #expect(try server.client(other).send("POST", "/changes", [], body: body).status == 200)
    try server.send("\n", to: raw)
    #expect(server.status(from: raw) == "200")
    // The whole share is free again.
    #expect(try server.client().send("POST", "/changes", [], body: body).status == 200)
  }

  @Test func answersThatAreNotReadAreBounded() throws {
    let server = try TestServer {
      // The answer has 7 MB, more than the kernel keeps for a socket.
      ($0.answers, $0.arrival, $0.speed) = (8 << 20, .seconds(3), 100 << 20)
    }
    let line =
      #"{"entityName":"Task","identity":{"id":"1"},"modifiedAt":"2025-05-01T00:00:00.000Z","fields":{"title":"\#(String(repeating: "x", count: 7_000_000))"}}"#
    #expect(try server.client().send("POST", "/changes", [], body: Array(line.utf8)).status == 200)
    let ask = "GET /changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(server.key)\r\n\r\n"
    let silent = try server.connect(buffer: 4_096)
    defer { close(silent) }
    try server.send(ask, to: silent)
    usleep(500_000)
    let other = try server.connect()
    defer { close(other) }
    try server.send(ask, to: other)
    #expect(server.status(from: other) == "503")
    #expect(try server.client().send("GET", "/health", [], body: nil).status == 200)
    // The answer that is not read has a deadline, before that of silent connections.
    let begun = SystemClock.monotonic()
    #expect(try server.client().send("GET", "/changes", [], body: nil).status == 200)
    #expect(SystemClock.monotonic() - begun < .seconds(20))
  }
}

/// Clients who do not read their answers.
@Suite struct UnreadAnswerTests {
  @Test func oneKeyLeavesRoomForOthers() throws {
    let server = try TestServer { $0.answers = 22 << 20 }
    // The answer has 7 MB, more than the kernel keeps for a socket.
    let line =
      #"{"entityName":"Task","identity":{"id":"1"},"modifiedAt":"2025-05-01T00:00:00.000Z","fields":{"title":"\#(String(repeating: "x", count: 7_000_000))"}}"#
    #expect(try server.client().send("POST", "/changes", [], body: Array(line.utf8)).status == 200)
    func ask(_ key: String) -> String {
      "GET /changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\n\r\n"
    }
    let silent = try server.connect(buffer: 4_096)
    defer { close(silent) }
    try server.send(ask(server.key), to: silent)
    usleep(500_000)
    let (second, other) = (try server.connect(), try server.connect())
    defer { for raw in [second, other] { close(raw) } }
    try server.send(ask(server.key), to: second)
    #expect(server.status(from: second) == "503")
    try server.send(ask(server.readOnlyKey), to: other)
    #expect(server.status(from: other) == "200")
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
  /// The beginning of a request that sends changes.
  fileprivate func head(_ key: String? = nil) -> String {
    "POST /changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key ?? self.key)\r\n"
  }

  /// Makes further keys that may write.
  fileprivate func moreKeys(_ count: Int) throws -> [String] {
    let records = (0..<count).map {
      KeyRecord(id: "000000000000001\($0)", household: household, createdAt: Self.now)
    }
    try ring.change { $0 += records }
    return try records.map { try ring.text(of: $0) }
  }

  fileprivate func send(_ text: String, to raw: Int32) throws {
    let bytes = Array(text.utf8)
    try #require(unsafe Foundation.send(raw, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  /// The status of the next answer; empty if there is none.
  fileprivate func status(from raw: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 12)
    let count = unsafe recv(raw, &buffer, buffer.count, Int32(MSG_WAITALL))
    return count == buffer.count ? String(decoding: buffer[9...], as: UTF8.self) : ""
  }

  /// The status of a request of which only the head is sent.
  ///
  /// The server may not have read earlier requests yet, so the head is sent again until it is refused.
  fileprivate func refusal(of head: String) throws -> String {
    let last = SystemClock.monotonic() + .seconds(60)
    while true {
      let raw = try connect()
      defer { close(raw) }
      var patience = timeval(tv_sec: 0, tv_usec: 100_000)
      unsafe setsockopt(raw, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      try send(head, to: raw)
      let found = status(from: raw)
      if !found.isEmpty || SystemClock.monotonic() > last { return found }
    }
  }

  /// A connection on which nothing is sent; `buffer` is the number of bytes that it takes unread.
  fileprivate func connect(buffer: Int32? = nil) throws -> Int32 {
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = buffer {
      unsafe setsockopt(raw, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
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
