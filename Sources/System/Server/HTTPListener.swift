package import SystemIO

/// The listening socket of an HTTP server: a port, or a path on this machine.
package struct HTTPListener: Sendable {
  /// The address of the server, as messages show it: `127.0.0.1:8477` or `unix:/run/peersync.sock`.
  package let text: String
  /// The port; 0 for a path.
  package let port: Int
  let raw: CInt

  /// Listens on a port of one address; 0 means any free port.
  package init(host: String, port: Int) throws(SystemError) {
    (raw, self.port) = try ServerSocket.listen(host: host, port: port)
    text = host.contains(":") ? "[\(host)]:\(self.port)" : "\(host):\(self.port)"
  }

  /// Listens on a path; replaces a socket on which no process listens.
  ///
  /// Anyone who may write to the socket may connect.
  package init(path: String) throws(SystemError) {
    raw = try ServerSocket.listen(at: path)
    (text, port) = ("unix:\(path)", 0)
  }
}
