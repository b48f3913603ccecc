import CommandLineTool
import Peering
import SystemIO
import Transport

extension PeerlinkTool {
  /// Makes one link and sees it to its end.
  static func runConnect(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let setup = try LinkSetup(settings, .connector)
    let events = try EventLog(settings.events)
    let connection = try connect(settings)
    let stream =
      if let context = setup.context {
        try PeerStream.client(context, over: connection) { key in setup.rules.accepts(key) }
      } else {
        PeerStream.plain(connection)
      }
    let link = Link(stream, setup.rules)
    link.begin(at: SystemClock.monotonic())
    let loop = LinkLoop(setup.rules, nil, links: [link]) { event in events.record(event) }
    try loop.run()
    if let failure = link.failure { return console.report(Diagnostic(failure, from: link.remote.text)) }
    if link.status == nil, let number = Interruption.pending { Interruption.end(by: number) }
    return link.status.map { ExitStatus(rawValue: $0) } ?? .done
  }

  private static func connect(_ settings: Settings) throws -> Connection {
    guard let place = HostAndPort(argument: settings.address) else {
      throw Diagnostic(
        .wrongOperands, "'\(settings.address)' is not HOST:PORT",
        hint: "a peer is found by its address: HOST:PORT, and --peer says who has to be there")
    }
    let (interface, isProven) = (settings.listening.interface, settings.version == .two)
    let deadline = SystemClock.monotonic() + settings.timeout
    return try place.connect(through: interface, until: deadline) { address in
      guard isProven || interface != nil || address.isLoopback else {
        throw UsageError.conflict(
          "protocol 1 proves nothing about the other side: '\(place.host)' is not this machine, so it needs --interface"
        )
      }
    }
  }
}
