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

  /// The trace file, emptied; nil without --trace.
  ///
  /// Throws if it is one of `files`, which the device or the run needs.
  package func openTrace(beside files: SideFiles) throws -> LinkTrace? {
    var files = files
    try files.add(trace)
    return try trace.map { try LinkTrace($0.path) }
  }

  /// Listens on IPv6 and IPv4; for protocol version 1, only on loopback unless an interface is given.
  package func open(_ version: ProtocolVersion = .two) throws(SystemError) -> [Listener] {
    guard version == .one, interface == nil else {
      return [try Listener.open(host: nil, port: port.value, interface: interface)]
    }
    let first = try Listener.open(host: "127.0.0.1", port: port.value, interface: nil)
    // If IPv6 is missing, or the port is in use there, IPv4 alone is used.
    let second = try? Listener.open(host: "::1", port: first.port, interface: nil)
    return [first] + (second.map { [$0] } ?? [])
  }

  /// The interface for announcing a device and searching for peers; nil for all interfaces.
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
        "max-connections", "Serve at most N links at a time; refuse others as busy (default: 16)."
      ) {
        $0.listening.maxConnections = $1
      },
    ]
  }

  package static var trace: Option {
    .value(
      "trace",
      "Write each message to and from a peer to FILE, with its time and sender, for 'frame check'. The "
        + "file contains the exchanged records, but not the pairing secret. An old trace is emptied; other "
        + "existing files are refused."
    ) { $0.listening.trace = $1 }
  }

  package static var interface: Option {
    .value("interface", named: "NAME", "Use only this network interface, such as eth0.") {
      $0.listening.interface = $1
    }
  }
}

/// A TCP port to listen on; 0 for any free port.
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
  /// Notes that peers cannot connect over protocol version 2, although the command listens.
  package func note(lackOfProofIn list: TrustList) {
    guard let lack = list.lackOfProof else { return }
    note("\(lack.text), so every connection is refused", hint: lack.hint)
  }
}
