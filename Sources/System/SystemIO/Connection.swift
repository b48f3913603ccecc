/// A connection over TCP that never blocks.
package final class Connection: Sendable {
  /// The address of the other side.
  package let remote: SocketAddress
  package let raw: CInt

  private init(owning raw: CInt, to remote: SocketAddress) {
    self.raw = raw
    self.remote = remote
  }

  deinit { _ = systemClose(raw) }

  /// The address of this side.
  package var local: SocketAddress { .local(of: raw) }

  /// Takes over an accepted connection; `raw` is closed with this object.
  static func accepted(_ raw: CInt, from remote: SocketAddress) -> Connection {
    let connection = Connection(owning: raw, to: remote)
    connection.configure()
    return connection
  }

  /// Connects, waiting at most until `deadline` on the monotonic clock.
  ///
  /// At a signal to stop or a cancellation, throws an error for which `isInterruption` holds.
  package static func connect(
    to remote: SocketAddress, through interface: String?, until deadline: Duration,
    _ cancellation: Cancellation? = nil
  ) throws(SystemError) -> Connection {
    let raw = socket(remote.family, SocketAddress.streamType, 0)
    guard raw >= 0 else { throw SystemError(.connect, remote.text, code: errno) }
    let connection = Connection(owning: raw, to: remote)
    connection.configure()
    if let interface { try Interface.bind(raw, remote.family, to: interface) }
    if unsafe remote.withPointer({ unsafe systemConnect(raw, $0, $1) }) == 0 { return connection }
    guard errno == EINPROGRESS else { throw SystemError(.connect, remote.text, code: errno) }
    var polls = PollSet()
    let place = polls.add(raw, writing: true)
    polls.addInterruption()
    cancellation?.watch(&polls)
    polls.wait(until: deadline)
    if Interruption.pending != nil || cancellation?.isCancelled == true {
      throw SystemError(.connect, remote.text, code: EINTR)
    }
    guard polls.isReady(place) else { throw SystemError(.connect, remote.text, code: ETIMEDOUT) }
    var code: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    unsafe getsockopt(raw, SOL_SOCKET, SO_ERROR, &code, &size)
    guard code == 0 else { throw SystemError(.connect, remote.text, code: code) }
    return connection
  }

  /// Sets the socket's options: not inherited by children, no delay in sending, and detection of a lost host
  /// within half a minute.
  private func configure() {
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    _ = fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) | O_NONBLOCK)
    let tcp = CInt(IPPROTO_TCP)
    for (level, option, value) in [
      (tcp, TCP_NODELAY, 1), (SOL_SOCKET, SO_KEEPALIVE, 1), (tcp, Self.idleOption, 10),
      (tcp, TCP_KEEPINTVL, 5),
      (tcp, TCP_KEEPCNT, 3), (tcp, TCP_NOTSENT_LOWAT, Self.mostUnsent),
    ] {
      var value = CInt(value)
      unsafe setsockopt(raw, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }
  }

  /// The maximum number of unsent bytes that the kernel keeps, in addition to those under way.
  ///
  /// Without a limit the kernel would take megabytes, and a slow link that still transfers them would look
  /// idle.
  private static let mostUnsent = 256 << 10

  #if canImport(Darwin)
    private static let idleOption = TCP_KEEPALIVE
  #else
    private static let idleOption = TCP_KEEPIDLE
  #endif

  /// Ends the connection if sent data stays unacknowledged for this long, or cannot be sent because the other
  /// side does not read.
  ///
  /// Without this limit, a connection that is lost while bytes are under way ends only after a quarter of an
  /// hour.
  package func limitSilence(to limit: Duration) {
    #if canImport(Darwin)
      var value = CInt(clamping: max(1, limit.components.seconds))
      let option = TCP_RXT_CONNDROPTIME
    #else
      var value = CUnsignedInt(clamping: limit.wholeMilliseconds)
      let option = TCP_USER_TIMEOUT
    #endif
    unsafe setsockopt(raw, CInt(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Sends the end; data from the other side can still be read.
  package func shutdownWriting() {
    #if canImport(Darwin)
      _ = shutdown(raw, SHUT_WR)
    #else
      _ = shutdown(raw, CInt(SHUT_WR))
    #endif
  }

  /// Whether the other side has ended the connection, or at least its sending direction.
  package var isEnded: Bool { Readiness.isEnded(raw) }

  /// Whether sending is no longer possible: the other side has closed a TCP connection before it had read
  /// everything.
  package var isReset: Bool { Readiness.isBroken(raw) }

  /// Reads available bytes; 0 is the end, nil means that bytes have not arrived yet.
  package func read(into bytes: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
    let count = unsafe systemRead(raw, bytes.baseAddress, bytes.count)
    if count >= 0 { return count }
    if errno == EAGAIN || errno == EINTR { return nil }
    throw SystemError(.read, remote.text, code: errno)
  }

  /// Writes as many bytes as fit; 0 if the buffer is full.
  package func write(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
    let count = unsafe bytes.withUnsafeBytes { unsafe systemWrite(raw, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    if errno == EAGAIN || errno == EINTR { return 0 }
    throw SystemError(.write, remote.text, code: errno == ECONNRESET ? EPIPE : errno)
  }
}
