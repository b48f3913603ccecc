package import Crypto
package import SyncCore
package import SystemIO

/// Bytes to and from the other side of a connection: through TLS, or plain in protocol version 1.
package final class PeerStream: RelaySource, RelaySink {
  package let connection: Connection
  private let session: TLSSession?
  /// Whether the library may have input that poll(2) does not report.
  package private(set) var hasMore = false
  /// An error that the next read throws.
  private var failure: LinkFailure?
  /// Whether sending is no longer possible.
  package private(set) var isBroken = false

  private init(_ connection: Connection, _ session: TLSSession?) {
    self.connection = connection
    self.session = session
  }

  package static func plain(_ connection: Connection) -> PeerStream { PeerStream(connection, nil) }

  /// A stream of the connecting side; `accept` decides by the other side's key.
  package static func client(
    _ context: TLSContext, over connection: Connection, accept: @escaping (KeyFingerprint) throws -> Bool
  ) throws(TransportError) -> PeerStream {
    PeerStream(connection, try TLSSession(context, .client, over: connection, accept: accept))
  }

  /// A stream of the accepting side; `accept` decides by the other side's key.
  package static func server(
    _ context: TLSContext, over connection: Connection, accept: @escaping (KeyFingerprint) throws -> Bool
  ) throws(TransportError) -> PeerStream {
    PeerStream(connection, try TLSSession(context, .server, over: connection, accept: accept))
  }

  /// The key that the other side has shown, which is not a proof; nil over a plain stream.
  package var shown: KeyFingerprint? { session?.shown }

  /// The key that the other side has proved; nil over a plain stream.
  package var peer: KeyFingerprint? { session?.peer }

  package var isPlain: Bool { session == nil }

  /// The keying material that binds a proof to this session; nil for a plain stream.
  package func exporter() throws(TransportError) -> [UInt8]? {
    try session?.exporter(label: "EXPORTER-peersync-pair")
  }

  /// Continues with the handshake; true once it is done.
  package func handshake() throws(LinkFailure) -> Bool { try session?.handshake() ?? true }

  /// The events that poll(2) must watch for so that the next call makes progress.
  package func interest(reading: Bool, writing: Bool) -> (reading: Bool, writing: Bool) {
    guard let session else { return (reading, writing) }
    if session.wantsRoom { return (reading, true) }
    return writing && session.wantsInputToWrite ? (true, false) : (reading, writing)
  }

  // MARK: A relay's end

  /// Fills the free room of the window with available bytes; the next call throws an error that occurs after
  /// some bytes.
  package func readAvailable(into window: inout ByteWindow) throws -> Int? {
    if let failure { throw failure }
    var total: Int?
    hasMore = false
    var calls = 0
    while total ?? 0 < Self.portion, calls < Self.longestTurn {
      calls += 1
      var isEmpty = false
      let count: Int
      do throws(LinkFailure) {
        count = try unsafe window.fill { (bytes: UnsafeMutableRawBufferPointer) throws(LinkFailure) in
          guard let count = try unsafe read(into: bytes) else {
            isEmpty = true
            return 0
          }
          return count
        }
      } catch {
        guard total != nil else { throw error }
        (failure, hasMore) = (error, true)
        return total
      }
      if isEmpty { return total }
      if count == 0 {
        // The next call reports the end, which poll(2) would not announce.
        hasMore = total != nil
        return total ?? 0
      }
      total = (total ?? 0) + count
    }
    hasMore = true
    return total
  }

  /// The maximum number of bytes to read at once: the room of a window that does not grow.
  private static let portion = 192 << 10
  /// The maximum number of records in a turn: each may have only one byte, and other links need their turn.
  private static let longestTurn = 512

  package func writeAvailable(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
    do throws(LinkFailure) {
      return try write(bytes)
    } catch {
      isBroken = true
      return 0
    }
  }

  package func writeAll(_ bytes: Span<UInt8>) throws(SystemError) {
    var done = 0
    while done < bytes.count, !isBroken {
      let count = try writeAvailable(bytes.extracting(done..<bytes.count))
      if count == 0, !isBroken { waitForRoom() }
      done += count
    }
  }

  private func waitForRoom() {
    var polls = PollSet()
    polls.add(connection.raw, writing: true)
    polls.wait(until: nil)
  }

  /// Sends the end of the stream (`close_notify` over TLS); false if the call must be repeated.
  package func sendEnd() throws(LinkFailure) -> Bool {
    guard !isBroken else { return true }
    guard let session else {
      connection.shutdownWriting()
      return true
    }
    return try session.sendEnd()
  }

  /// Reads available bytes; 0 is the end, nil if nothing has arrived.
  package func read(into bytes: UnsafeMutableRawBufferPointer) throws(LinkFailure) -> Int? {
    if let session { return try unsafe session.read(into: bytes) }
    let count: Int?
    do throws(SystemError) {
      count = try unsafe connection.read(into: bytes)
    } catch {
      throw .connectionLost(error.reason)
    }
    // The failed write has received the connection's error, so a read after it reports an end.
    if count == 0, isBroken, unsafe !bytes.isEmpty { throw .connectionLost("the connection broke off") }
    return count
  }

  private func write(_ bytes: Span<UInt8>) throws(LinkFailure) -> Int {
    if let session { return try session.write(bytes) }
    do throws(SystemError) {
      return try connection.write(bytes)
    } catch {
      throw .connectionLost(error.reason)
    }
  }
}

/// The reason why a link could not be opened, or ended early.
package enum LinkFailure: Error, Equatable, Sendable {
  /// The other side's key is not trusted; the value is nil if it did not show a key.
  case untrustedPeer(KeyFingerprint?)
  /// Version 1: the claimed identity is missing or not trusted.
  case untrustedSender(String)
  /// The other side refuses this device, with this message.
  case refusedByPeer(String)
  /// The other side accepts us, but not now.
  case busyPeer(PeerError)
  /// The other side sends something other than TLS 1.3 or the protocol.
  case protocolBroken(String)
  /// The connection ended without `close_notify`, so data may be missing.
  case connectionLost(String)
  case timedOut(String)
  /// An error on this side: the program cannot be run, or output cannot be written.
  case local(SystemError)
  /// This side closed the link to make room for another connection.
  case crowdedOut
  /// The link was not open yet when a signal arrived, or when the last link had been served.
  case stopped
}
