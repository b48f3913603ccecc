/// A socket that accepts connections.
package final class Listener {
  package let raw: CInt
  package let port: Int
  /// The only interface that is used, with the number that it had when the listener was opened; nil for all
  /// interfaces.
  private let interface: (name: String, index: UInt32?)?

  private init(owning raw: CInt, through interface: (name: String, index: UInt32?)?) {
    self.raw = raw
    port = SocketAddress.local(of: raw).port
    self.interface = interface
  }

  deinit { _ = systemClose(raw) }

  /// Listens on a port; 0 means any free port.
  ///
  /// `host` is `127.0.0.1` to accept connections from this machine only, nil for any source, over IPv6 and
  /// IPv4.
  package static func open(host: String?, port: Int, interface: String?) throws(SystemError) -> Listener {
    var failure = SystemError(.listen, "port \(port)", code: EADDRNOTAVAIL)
    let hosts = host.map { [$0] } ?? ["::", "0.0.0.0"]
    for host in hosts where failure.code != EADDRINUSE {
      for address in (try? SocketAddress.resolve(host, port: port, isPassive: true)) ?? [] {
        do throws(SystemError) {
          return try open(address, interface)
        } catch {
          failure.code = error.code
        }
      }
    }
    throw failure
  }

  /// Whether only connections through one interface are accepted.
  package var isOnInterface: Bool { interface != nil }

  /// A listener on the same port, if the interface was removed and a new one has its name; otherwise nil.
  ///
  /// The system binds a socket to the number of an interface, and the new interface has another number.
  package func renewed() throws(SystemError) -> Listener? {
    guard let interface, let index = Interface.index(of: interface.name), index != interface.index else {
      return nil
    }
    do throws(SystemError) {
      return try Self.open(.local(of: raw), interface.name)
    } catch {
      // The new interface has been removed too.
      if Interface.index(of: interface.name) != index { return nil }
      throw error
    }
  }

  private static func open(_ address: SocketAddress, _ interface: String?) throws(SystemError) -> Listener {
    // Look up the number before the socket is bound, so that a change in between is noticed.
    let place = interface.map { (name: $0, index: Interface.index(of: $0)) }
    let raw = socket(address.family, SocketAddress.streamType, 0)
    guard raw >= 0 else { throw SystemError(.listen, address.text, code: errno) }
    do throws(SystemError) {
      set(raw, SOL_SOCKET, SO_REUSEADDR, to: 1)
      if address.family == AF_INET6 { set(raw, CInt(IPPROTO_IPV6), IPV6_V6ONLY, to: 0) }
      _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
      _ = fcntl(raw, F_SETFL, O_NONBLOCK)
      if let interface { try Interface.bind(raw, address.family, to: interface) }
      guard unsafe address.withPointer({ unsafe systemBind(raw, $0, $1) }) == 0, systemListen(raw, 1_024) == 0
      else {
        throw SystemError(.listen, address.text, code: errno)
      }
    } catch {
      _ = systemClose(raw)
      throw error
    }
    return Listener(owning: raw, through: place)
  }

  private static func set(_ raw: CInt, _ level: CInt, _ option: CInt, to value: CInt) {
    var value = value
    unsafe setsockopt(raw, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  /// The next connection; nil if no connection is waiting, or if the next one has failed already.
  package func accept() throws(SystemError) -> Connection? {
    let raw = raw
    let (address, accepted) = unsafe SocketAddress.filled { unsafe systemAccept(raw, $0, $1) }
    if accepted >= 0 { return .accepted(accepted, from: address) }
    let code = errno
    if Self.passing.contains(code) { return nil }
    throw SystemError(.listen, "port \(port)", code: code)
  }

  /// The errors that do not concern the listener: no connection is waiting, or the one that was waiting has
  /// ended or failed, as accept(2) lists them.
  private static let passing: [CInt] = {
    let codes = [
      EAGAIN, EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, EOPNOTSUPP,
      ENETUNREACH,
    ]
    #if os(Linux)
      return codes + [ENONET]
    #else
      return codes
    #endif
  }()
}
