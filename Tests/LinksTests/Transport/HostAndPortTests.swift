import Foundation
@testable import Links
import SyncCore
@testable import SystemIO
import Testing

@Suite struct HostAndPortTests {
  /// A socket that accepts nothing, with the port on which further connections wait.
  private struct Full: ~Copyable {
    let raw: CInt
    var port = 0
    private var waiting: [Connection] = []

    init() throws {
      raw = socket(AF_INET, SocketAddress.streamType, 0)
      // Without an address, listen(2) chooses a port on all of them.
      try #require(listen(raw, 0) == 0)
      port = SocketAddress.local(of: raw).port
      while let connection = try? Connection.connect(
        to: try place, through: nil, until: SystemClock.monotonic() + .milliseconds(200))
      {
        waiting.append(connection)
        try #require(waiting.count < 100)
      }
    }

    deinit { close(raw) }

    var place: SocketAddress {
      get throws { try #require(SocketAddress.resolve("127.0.0.1", port: port).first) }
    }
  }

  @Test func anAddressWithoutAnAnswerLeavesTimeForTheNext() throws {
    let full = try Full()
    let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
    let open = try #require(try SocketAddress.resolve("127.0.0.1", port: listener.port).first)
    let place = try #require(HostAndPort("laptop:7411"))
    let deadline = SystemClock.monotonic() + .seconds(4)
    let connection = try place.connect(
      to: [try full.place, open], through: nil, until: deadline, over: .two, admits: { _ in true })
    #expect(SystemClock.monotonic() < deadline)
    #expect(connection.remote.text == open.text)
  }

  @Test func aCancellationEndsTheWaitForAnAnswer() throws {
    let full = try Full()
    let place = try #require(HostAndPort("laptop:7411"))
    let silent = try full.place
    let cancellation = Cancellation()
    cancellation.cancel()
    let start = SystemClock.monotonic()
    let error = #expect(throws: SystemError.self) {
      try place.connect(
        to: [silent], through: nil, until: start + .seconds(60), over: .two, cancellation,
        admits: { _ in true })
    }
    #expect(error?.isInterruption == true && SystemClock.monotonic() - start < .seconds(30))
  }
}
