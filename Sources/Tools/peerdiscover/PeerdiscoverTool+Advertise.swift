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
    let hasCommand = child != nil
    var status: CInt?
    do {
      _ = try run.run(&advertiser, until: nil) { advertiser in
        try write(advertiser.takeEvents(), advertisement, hasCommand: hasCommand)
        status = child?.exitStatus()
        return status != nil
      }
    } catch {
      run.end(&advertiser)
      throw error
    }
    run.end(&advertiser)
    try write(advertiser.takeEvents(), advertisement, hasCommand: hasCommand)
    guard hasCommand else { throw SystemError(.read, "-", code: EINTR) }
    var passed: CInt?
    while status == nil {
      if let number = Interruption.pending, number != passed {
        child!.pass(number)
        passed = number
      }
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

  /// Writes event lines; beside a command, an event that cannot be written is lost, and the run continues.
  private static func write(
    _ events: [AdvertisementEvent], _ advertisement: Advertisement, hasCommand: Bool
  ) throws(SystemError) {
    for event in events {
      let line = event.line(of: advertisement, at: .wallClock).text + "\n"
      if hasCommand {
        try? Descriptor.standardError.write(line)
      } else {
        try Descriptor.standardOutput.write(line)
      }
    }
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
