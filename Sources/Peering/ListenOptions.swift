package import CommandLineTool
package import SystemIO

/// Where connections are taken.
package struct ListenSettings: Sendable {
  package var port = ListeningPort(0)
  package var interface: String?
  package var maxConnections = PositiveCount(16)

  package init() {}

  /// Throws where the interface is not there.
  package func check() throws(Diagnostic) {
    guard let interface, !Interface.exists(interface) else { return }
    throw Diagnostic(.cannotListen, "no such network interface", file: interface)
  }

  /// Over IPv6 and IPv4.
  package func open() throws(SystemError) -> Listener {
    try Listener.open(host: nil, port: port.value, interface: interface)
  }
}

/// Settings of a command that takes connections, or makes them.
package protocol ListenConfigurable: Sendable {
  var listening: ListenSettings { get set }
}

extension Option where Settings: ListenConfigurable {
  package static var listening: [Option] {
    [
      .value("port", short: "p", "Listen on port N; the default is any free port, which is told.") {
        $0.listening.port = $1
      },
      .value(
        "max-connections", "Serve at most N links at a time, the others are told busy; the default is 16."
      ) {
        $0.listening.maxConnections = $1
      },
    ]
  }

  package static var interface: Option {
    .value("interface", named: "NAME", "Only through this network interface, such as eth0.") {
      $0.listening.interface = $1
    }
  }
}

/// A TCP port to listen on, 0 for any that is free.
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
