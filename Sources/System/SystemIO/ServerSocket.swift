/// A listening socket that a library takes over and closes.
package enum ServerSocket {
  /// Listens on a port of one address; 0 means any free port.
  package static func listen(host: String, port: Int) throws(SystemError) -> (raw: CInt, port: Int) {
    let listener = try Listener.open(host: host, port: port, interface: nil)
    let raw = fcntl(listener.raw, F_DUPFD_CLOEXEC, 3)
    guard raw >= 0 else { throw SystemError(.listen, "\(host):\(port)", code: errno) }
    return (raw, listener.port)
  }

  /// Ends a connection in both directions; its owner reads the end.
  package static func end(_ raw: CInt) { shutdown(raw, CInt(SHUT_RDWR)) }

  package static func close(_ raw: CInt) { _ = systemClose(raw) }

  /// Listens at a path (AF_UNIX) with mode 0660 less the umask; an abandoned socket is replaced.
  package static func listen(at path: String) throws(SystemError) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8) + [0]
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemError(.listen, path, code: ENAMETOOLONG)
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let raw = socket(AF_UNIX, SocketAddress.streamType, 0)
    guard raw >= 0 else { throw SystemError(.listen, path, code: errno) }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    _ = fcntl(raw, F_SETFL, O_NONBLOCK)
    if isLeftover(path, address) { _ = unsafe unlink(path) }
    // Linux gives the file the mode of the socket, less the umask.
    _ = fchmod(raw, mode)
    guard unsafe call(address, { unsafe systemBind(raw, $0, $1) }) == 0, restrict(path),
      systemListen(raw, 1_024) == 0
    else {
      let code = errno
      _ = systemClose(raw)
      throw SystemError(.listen, path, code: code)
    }
    return raw
  }

  private static let mode: mode_t = 0o660

  /// Gives the file of a socket its mode on systems that ignore the mode of the socket itself.
  ///
  /// Nobody can connect before the socket listens.
  private static func restrict(_ path: String) -> Bool {
    #if canImport(Darwin)
      return unsafe chmod(path, (FileMode.mode(of: path) ?? 0) & mode) == 0
    #else
      return true
    #endif
  }

  /// Whether the path is a socket without a server.
  private static func isLeftover(_ path: String, _ address: sockaddr_un) -> Bool {
    // Check this first, because connecting to any other file is refused too.
    guard FileMode.isSocket(path) else { return false }
    let probe = socket(AF_UNIX, SocketAddress.streamType, 0)
    defer { _ = systemClose(probe) }
    return unsafe call(address) { unsafe systemConnect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
  }

  private static func call(
    _ address: sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
