@testable import Crypto
@testable import Links
import SystemIO
import Testing

/// Both ends of a connection in one process.
struct PeerStreamTests {
  private struct Ends {
    var client: PeerStream
    var server: PeerStream

    /// Connects over the loopback; each side takes the keys that its closure takes.
    init(
      _ client: DeviceIdentity, _ server: DeviceIdentity,
      clientTakes: @escaping (KeyFingerprint) throws -> Bool = { _ in true },
      serverTakes: @escaping (KeyFingerprint) throws -> Bool = { _ in true }
    ) throws {
      let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
      let address = try #require(try SocketAddress.resolve("127.0.0.1", port: listener.port).first)
      let deadline = SystemClock.monotonic() + .seconds(10)
      let near = try Connection.connect(to: address, through: nil, until: deadline)
      var far: Connection?
      while far == nil { far = try listener.accept() }
      self.client = try .client(try TLSContext(client), over: near, accept: clientTakes)
      self.server = try .server(try TLSContext(server), over: try #require(far), accept: serverTakes)
    }

    /// Goes on with both handshakes until they are done or one fails.
    func shakeHands() throws {
      var done = (client: false, server: false)
      while !done.client || !done.server {
        if !done.client { done.client = try client.handshake() }
        if !done.server { done.server = try server.handshake() }
      }
    }
  }

  private let phone: DeviceIdentity
  private let laptop: DeviceIdentity

  init() throws {
    phone = try DeviceIdentity(creating: "phone")
    laptop = try DeviceIdentity(creating: "laptop")
  }

  @Test func eachSeesTheOthersKey() throws {
    let ends = try Ends(phone, laptop)
    try ends.shakeHands()
    #expect(ends.client.peer == laptop.fingerprint && ends.server.peer == phone.fingerprint)
  }

  /// The keying material for a proof is the same at both ends, and differs in every session.
  @Test func exportersBelongToOneSession() throws {
    var seen: Set<[UInt8]> = []
    for _ in 0..<3 {
      let ends = try Ends(phone, laptop)
      try ends.shakeHands()
      let exporter = try #require(try ends.client.exporter())
      #expect(try ends.server.exporter() == exporter && exporter.count == 32)
      seen.insert(exporter)
    }
    #expect(seen.count == 3)
  }

  @Test func aKeyThatIsNotTakenEndsTheHandshake() throws {
    let ends = try Ends(phone, laptop, clientTakes: { _ in false })
    #expect(throws: LinkFailure.untrustedPeer(laptop.fingerprint)) { try ends.shakeHands() }
    #expect(throws: LinkFailure.refusedByPeer("it does not accept this device's key")) {
      while try !ends.server.handshake() {}
    }
  }

  /// The client is done before the server has decided, which is why a link begins with a greeting.
  @Test func aRefusedClientLearnsItByReading() throws {
    let ends = try Ends(phone, laptop, serverTakes: { _ in false })
    #expect(throws: LinkFailure.untrustedPeer(phone.fingerprint)) { try ends.shakeHands() }
    #expect(try ends.client.handshake())
    var window = ByteWindow()
    #expect(throws: LinkFailure.refusedByPeer("it does not accept this device's key")) {
      while try ends.client.readAvailable(into: &window) == nil {}
    }
  }

  /// A refusal would be final for the other side, but the trusted peers may be readable again soon.
  @Test func aSideThatCannotDecideDoesNotRefuse() throws {
    let failure = LinkFailure.connectionLost(
      "the other side ended the connection because of an error of its own")
    let unreadable: (KeyFingerprint) throws -> Bool = { _ in
      throw TrustError.damaged(path: "trust.jsonl", line: 1, message: "cut")
    }
    let served = try Ends(phone, laptop, serverTakes: unreadable)
    #expect(throws: LinkFailure.untrustedPeer(phone.fingerprint)) { try served.shakeHands() }
    #expect(try served.client.handshake())
    var window = ByteWindow()
    #expect(throws: failure) {
      while try served.client.readAvailable(into: &window) == nil {}
    }
    let called = try Ends(phone, laptop, clientTakes: unreadable)
    #expect(throws: LinkFailure.untrustedPeer(laptop.fingerprint)) { try called.shakeHands() }
    #expect(throws: failure) { while try !called.server.handshake() {} }
  }

  @Test func anEndIsToldFromABreak() throws {
    let ends = try Ends(phone, laptop)
    try ends.shakeHands()
    let bytes = [UInt8](repeating: 7, count: 1_000)
    #expect(try ends.client.writeAvailable(bytes.span) == bytes.count)
    #expect(try ends.client.sendEnd())
    var window = ByteWindow()
    var count: Int?
    while window.count < bytes.count || count != 0 { count = try ends.server.readAvailable(into: &window) }
    #expect(window.count == bytes.count)
    // The other way goes on.
    #expect(try ends.server.writeAvailable(bytes.span) == bytes.count)
    ends.server.connection.shutdownWriting()
    var back = ByteWindow()
    #expect(throws: LinkFailure.connectionLost("the connection broke off")) {
      while true { _ = try ends.client.readAvailable(into: &back) }
    }
    #expect(back.count == bytes.count)
  }

  /// Without TLS, a reset looks like an end once a failed write has taken its error.
  @Test func aResetIsNoEnd() throws {
    let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
    let address = try #require(try SocketAddress.resolve("127.0.0.1", port: listener.port).first)
    let deadline = SystemClock.monotonic() + .seconds(10)
    let near = PeerStream.plain(try Connection.connect(to: address, through: nil, until: deadline))
    var far: Connection?
    while far == nil { far = try listener.accept() }
    let bytes = [UInt8](repeating: 7, count: 10)
    #expect(try near.writeAvailable(bytes.span) == bytes.count)
    // A connection that is closed with unread bytes is reset.
    SystemClock.sleep(.milliseconds(20))
    far = nil
    while !near.isBroken { _ = try near.writeAvailable(bytes.span) }
    var window = ByteWindow()
    #expect(throws: LinkFailure.connectionLost("the connection broke off")) {
      _ = try near.readAvailable(into: &window)
    }
  }

  /// The break stays the same error, and comes after what arrived before it.
  @Test func bytesBeforeABreakArrive() throws {
    let ends = try Ends(phone, laptop)
    try ends.shakeHands()
    let bytes = [UInt8](repeating: 7, count: 1_000)
    #expect(try ends.client.writeAvailable(bytes.span) == bytes.count)
    // A record of data that nobody has encrypted.
    let record: [UInt8] = [23, 3, 3, 0, 32] + [UInt8](repeating: 0, count: 32)
    #expect(try ends.client.connection.write(record.span) == record.count)
    var window = ByteWindow()
    #expect(try ends.server.readAvailable(into: &window) == bytes.count)
    #expect(window.count == bytes.count && ends.server.hasMore)
    for _ in 1...2 {
      #expect { try ends.server.readAvailable(into: &window) } throws: {
        if case .protocolBroken? = $0 as? LinkFailure { true } else { false }
      }
    }
  }

  /// A goodbye, in the clear or not, is not a proof.
  @Test func aGoodbyeIsNoHandshake() throws {
    let ends = try Ends(phone, laptop)
    #expect(try !ends.client.handshake())
    #expect(try !ends.server.handshake())
    let goodbye: [UInt8] = [21, 3, 3, 0, 2, 1, 0]
    #expect(try ends.client.connection.write(goodbye.span) == goodbye.count)
    let failure = LinkFailure.connectionLost("the other side closed the connection before it authenticated")
    #expect(throws: failure) { while try !ends.server.handshake() {} }
    #expect(ends.server.peer == nil)
  }

  /// Anybody can show a certificate: without a proof the other side's message is nobody's.
  @Test func aRefusalBeforeTheProofIsNotThePeers() throws {
    let ends = try Ends(phone, laptop)
    #expect(try !ends.client.handshake())
    let refusal: [UInt8] = [21, 3, 3, 0, 2, 2, 42]
    #expect(try ends.server.connection.write(refusal.span) == refusal.count)
    let failure = LinkFailure.connectionLost("the other side closed the connection before it authenticated")
    #expect(throws: failure) { while try !ends.client.handshake() {} }
    #expect(ends.client.peer == nil)
  }

  /// Otherwise a side with bytes to send would wait for room forever.
  @Test func aConnectionThatBreaksAfterAGoodbyeIsBroken() throws {
    var ends: Ends? = try Ends(phone, laptop)
    try ends?.shakeHands()
    let server = try #require(ends?.server)
    let bytes = [UInt8](repeating: 7, count: 1_000)
    #expect(try server.writeAvailable(bytes.span) == bytes.count)
    #expect(try ends?.client.sendEnd() == true)
    var window = ByteWindow()
    while try server.readAvailable(into: &window) != 0 {}
    // Unread bytes make its end a reset.
    ends = nil
    let deadline = SystemClock.monotonic() + .seconds(10)
    while !server.isBroken, SystemClock.monotonic() < deadline { _ = try server.writeAvailable(bytes.span) }
    #expect(server.isBroken)
  }
}
