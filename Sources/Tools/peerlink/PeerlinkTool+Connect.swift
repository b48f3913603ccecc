import LinkInputs
import JSONLines
import CommandLine
import Crypto
import Links
import SyncCore
import SystemIO

extension PeerlinkTool {
  /// Makes one link and sees it to its end.
  static func runConnect(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard let place = HostAndPort(argument: settings.address) else {
      if HostAndPort.hasWrongPort(settings.address) {
        throw UsageError.wrongOperand(settings.address, expected: HostAndPort.expectation)
      }
      return try runSearch(settings, on: console)
    }
    let setup = try LinkSetup(settings, .connector)
    let events = try EventLog(settings.events)
    defer { events.tellLost(on: console) }
    let link = try Self.link(over: try connect(to: place, settings), setup, events)
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
    endWhereInsisted()
    if let failure = link.failure { return console.report(Diagnostic(failure, from: link.remote.text)) }
    if link.status == nil, let number = Interruption.pending { Interruption.end(by: number) }
    return link.status.map { ExitStatus(rawValue: $0) } ?? .done
  }

  /// After a second signal there is nothing but the end.
  static func endWhereInsisted() {
    if Interruption.isInsisted, let number = Interruption.pending { Interruption.end(by: number) }
  }

  private static func connect(to place: HostAndPort, _ settings: Settings) throws -> Connection {
    let deadline = SystemClock.monotonic() + settings.timeout
    return try place.connect(
      through: settings.listening.interface, until: deadline, over: settings.version)
  }
}
