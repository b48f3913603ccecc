import CommandLineTool
import SystemIO
import Transport

extension PeerlinkTool {
  /// Makes one link and sees it to its end.
  static func runConnect(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard let (host, port) = HostAndPort.split(settings.address) else {
      return try runSearch(settings, on: console)
    }
    let setup = try LinkSetup(settings, .connector)
    let events = try EventLog(settings.events)
    let link = try Self.link(over: try connect(host, port, settings), setup, events)
    return status(of: link, on: console)
  }

  /// Sees a link to its end; `onOpening` is called once it is open.
  static func link(
    over connection: Connection, _ setup: LinkSetup, _ events: EventLog, onOpening: @escaping () -> Void = {}
  ) throws -> Link {
    let stream =
      if let context = setup.context {
        try PeerStream.client(context, over: connection) { key in setup.rules.accepts(key) }
      } else {
        PeerStream.plain(connection)
      }
    let link = Link(stream, setup.rules)
    link.begin(at: SystemClock.monotonic())
    let loop = LinkLoop(setup.rules, nil, links: [link]) { event in
      if case .opened = event { onOpening() }
      events.record(event)
    }
    try loop.run()
    return link
  }

  /// The exit status that a link's end is; without a status it is our own end by a signal.
  static func status(of link: Link, on console: Console) -> ExitStatus {
    if let failure = link.failure { return console.report(Diagnostic(failure, from: link.remote.text)) }
    if link.status == nil, let number = Interruption.pending { Interruption.end(by: number) }
    return link.status.map { ExitStatus(rawValue: $0) } ?? .done
  }

  /// Tries the host's addresses one after the other.
  private static func connect(_ host: String, _ port: Int, _ settings: Settings) throws -> Connection {
    let deadline = SystemClock.monotonic() + settings.timeout
    var failure = SystemError.unreachable(settings.address)
    for address in try SocketAddress.resolve(host, port: port) {
      if settings.version == .one, settings.interface == nil, !address.isLoopback {
        throw UsageError.conflict(
          "protocol 1 proves nothing about the other side: '\(host)' is not this machine, so it needs --interface"
        )
      }
      do throws(SystemError) {
        return try Connection.connect(to: address, through: settings.interface, until: deadline)
      } catch {
        if error.isInterruption { throw error }
        failure = error
      }
    }
    throw failure
  }
}

/// An address on the command line: `host:7411`, `192.0.2.7:7411` or `[2001:db8::7]:7411`.
enum HostAndPort {
  static func split(_ text: String) -> (host: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
    else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    return host.isEmpty ? nil : (String(host), Int(port))
  }
}
