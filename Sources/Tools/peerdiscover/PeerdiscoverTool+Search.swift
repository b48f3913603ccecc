import CommandLine
import CommonInputs
import Discovery
import JSONLines
import SyncCore
import SystemIO

extension PeerdiscoverTool {
  static func runBrowse(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try search(.service(settings.service), settings)
  }

  static func runTypes(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try search(.types, settings)
  }

  static func runResolve(_ settings: Settings, on console: Console) throws -> ExitStatus {
    var settings = settings
    settings.count = PositiveCount(1)
    let (instance, service) = instance(settings.operands[0], settings.service)
    guard service.name.prefixed(by: instance) != nil else {
      throw UsageError.conflict("'\(instance)' is not an instance name, which has 1 to 63 bytes")
    }
    return try search(.instance(instance, service), settings)
  }

  /// The instance and the type that a text names; a full name includes its type.
  private static func instance(_ text: String, _ service: DNSServiceType) -> (String, DNSServiceType) {
    guard let name = DomainName(text), name.labels.count == 4,
      let type = DNSServiceType(name.parent.description)
    else { return (text, service) }
    return (name.firstLabel, type)
  }

  private static func search(_ goal: Browser.Goal, _ settings: Settings) throws -> ExitStatus {
    var browser = Browser(goal, random: DiscoveryRun.random())
    var run = try open(settings)
    var found = 0
    let limit = settings.timeout ?? (settings.follow ? nil : .seconds(3))
    let ending = try run.run(&browser, until: limit.map { SystemClock.monotonic() + $0 }) { browser in
      for event in browser.takeEvents() {
        try Descriptor.standardOutput.write(line: event.line(at: .wallClock))
        guard event.isFind else { continue }
        found += 1
        if found == settings.count?.value { return true }
      }
      return false
    }
    if ending == .interrupted { throw SystemError(.read, "-", code: EINTR) }
    return found >= settings.count?.value ?? 1 ? .done : .no
  }

  /// The network, on the requested interfaces.
  static func open(_ settings: Settings) throws -> DiscoveryRun {
    if let name = DiscoveryRun.missing(settings.interfaces) {
      throw Diagnostic(.cannotListen, "no such network interface: '\(name)'")
    }
    return try DiscoveryRun(interfaces: settings.interfaces)
  }
}

extension DiscoveryEvent {
  fileprivate var isFind: Bool {
    switch self {
    case .discovered, .type: true
    case .updated, .lost: false
    }
  }
}
