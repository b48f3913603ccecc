package import CommandLine
package import JSONLines
package import Links
package import Pairing
package import SyncCore
package import SystemIO

/// The addresses on which connections are accepted.
package struct ListenSettings: Sendable {
  package var port = ListeningPort(0)
  package var interface: String?
  package var maxConnections = PositiveCount(16)
  package var trace: FilePath?

  package init() {}

  /// Throws if the interface does not exist.
  package func check() throws(Diagnostic) {
    guard let interface, !Interface.exists(interface) else { return }
    throw Diagnostic(.cannotListen, "no such network interface", file: interface)
  }

  /// The emptied trace file; nil without --trace.
  ///
  /// Throws if it is one of `files`, which this device or the run needs.
  package func openTrace(beside files: SideFiles) throws -> LinkTrace? {
    var files = files
    try files.add(trace)
    return try trace.map { try LinkTrace($0.path) }
  }

  /// Listens over IPv6 and IPv4; for protocol version 1 on loopback, unless an interface is named.
  package func open(_ version: ProtocolVersion = .two) throws(SystemError) -> [Listener] {
    guard version == .one, interface == nil else {
      return [try Listener.open(host: nil, port: port.value, interface: interface)]
    }
    let first = try Listener.open(host: "127.0.0.1", port: port.value, interface: nil)
    // If IPv6 is missing, or the port is taken there, IPv4 must suffice.
    let second = try? Listener.open(host: "::1", port: first.port, interface: nil)
    return [first] + (second.map { [$0] } ?? [])
  }

  /// The interface for announcing a device and searching for peers, if it may be used for them.
  package func network(_ version: ProtocolVersion) -> String? {
    interface ?? (version == .one ? NetworkInterface.all().first(where: \.isLoopback)?.name : nil)
  }
}

/// Settings of a command that accepts or makes connections.
package protocol ListenConfigurable: Sendable {
  var listening: ListenSettings { get set }
}

extension Option where Settings: ListenConfigurable {
  package static var listening: [Option] {
    [
      .value("port", short: "p", "Listen on port N (default: any free port, which is printed).") {
        $0.listening.port = $1
      },
      .value(
        "max-connections", "Serve at most N links at a time; others are refused as busy (default: 16)."
      ) {
        $0.listening.maxConnections = $1
      },
    ]
  }

  package static var trace: Option {
    .value(
      "trace",
      "Write each message to and from a peer to FILE, one line each with its time and sender, for 'frame check'. The file "
        + "contains all records that are exchanged, but no pairing secret. An earlier trace is emptied; any other file is refused."
    ) { $0.listening.trace = $1 }
  }

  package static var interface: Option {
    .value("interface", named: "NAME", "Use only this network interface, such as eth0.") {
      $0.listening.interface = $1
    }
  }
}

/// A TCP port to listen on, 0 for any free one.
package struct ListeningPort: OptionValue, Equatable {
  package var value: Int
  package static var valueName: String { "N" }
  package static var expectation: String { "a port from 0 to 65535" }

  package init(_ value: Int) { self.value = value }

  package init?(argument: String) {
    guard let number = UInt16(argument), !argument.hasPrefix("+") else { return nil }
    value = Int(number)
  }
}

extension HostAndPort: OptionValue {
  package static var valueName: String { "HOST:PORT" }
  package static var expectation: String { "HOST:PORT with a port from 1 to 65535" }

  package init?(argument: String) { self.init(argument) }
}

extension Console {
  /// Notes that no peer can connect over protocol version 2, for a command that listens all the same.
  package func note(lackOfProofIn list: TrustList) {
    guard let lack = list.lackOfProof else { return }
    note("\(lack.text), so every connection is refused" + (lack.hint.map { "; \($0)" } ?? ""))
  }
}
