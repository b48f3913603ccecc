import CommandLine
import CommonInputs
import Discovery
import JSONLines
import SyncCore
import SystemIO

extension PeerdiscoverTool {
  static func runAdvertise(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let advertisement = try advertisement(settings)
    guard var advertiser = Advertiser(advertisement, random: DiscoveryRun.random())
    else {
      throw UsageError.conflict(
        "invalid instance name '\(advertisement.name)': it must have 1 to 63 bytes")
    }
    var run = try open(settings)
    var child: AttachedProcess?
    if !settings.operands.isEmpty { child = try AttachedProcess(settings.operands) }
    let sink = child == nil ? Descriptor.standardOutput : .standardError
    var status: CInt?
    do {
      _ = try run.run(&advertiser, until: nil) { advertiser in
        try write(advertiser.takeEvents(), advertisement, to: sink)
        status = child?.exitStatus()
        return status != nil
      }
    } catch {
      run.end(&advertiser)
      throw error
    }
    run.end(&advertiser)
    try write(advertiser.takeEvents(), advertisement, to: sink)
    guard child != nil else { throw SystemError(.read, "-", code: EINTR) }
    if status == nil, let number = Interruption.pending { child!.pass(number) }
    while status == nil {
      status = child!.exitStatus()
      if status == nil { run.idle() }
    }
    return ExitStatus(rawValue: status!)
  }

  private static func advertisement(_ settings: Settings) throws(UsageError) -> Advertisement {
    guard let port = settings.port else { throw .conflict("advertise needs --port") }
    var txt = TextRecord()
    for pair in settings.pairs where !txt.add(pair.text) {
      throw .conflict("'--txt \(pair.text)': duplicate key")
    }
    // RFC 6763 §6.2 recommends this limit.
    guard txt.strings.count <= 1_300 else { throw .conflict("the TXT record is longer than 1300 bytes") }
    let host = HostName.short
    return Advertisement(
      name: settings.name ?? host, service: settings.service, port: port.value, txt: txt, host: host)
  }

  private static func write(
    _ events: [AdvertisementEvent], _ advertisement: Advertisement, to sink: borrowing Descriptor
  ) throws(SystemError) {
    for event in events { try sink.write(event.line(of: advertisement, at: .wallClock).text + "\n") }
  }
}

/// The port of an announced service.
struct ServicePort: OptionValue, Equatable {
  var value: UInt16
  static var valueName: String { "PORT" }
  static var expectation: String { "a port from 1 to 65535" }

  init?(argument: String) {
    guard let value = UInt16(argument), value > 0, !argument.hasPrefix("+") else { return nil }
    self.value = value
  }
}
