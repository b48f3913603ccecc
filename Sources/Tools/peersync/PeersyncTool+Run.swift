import LinkInputs
import CommandLine
import Crypto
import JSONLines
import Links
import Pairing
import Sessions
import Store
import SyncCore
import SystemIO
import ToolInputs

extension PeersyncTool {
  static func runRun(_ settings: Settings, on console: Console) throws -> ExitStatus {
    var settings = settings
    // What only goes out deletes nothing here.
    if settings.isDryRun, settings.direction == .push { settings.store.maxDelete = .off }
    if settings.version == .one, settings.follow || settings.direction == .push {
      throw UsageError.conflict(
        "protocol 1 has no turns to give: run without '--follow' and '--direction push'")
    }
    let rules = try settings.rules()
    try settings.listening.check()
    if settings.follow, settings.isDryRun {
      throw UsageError.conflict("'--follow' and '--dry-run' exclude each other")
    }
    return try rules.naming {
      try Diagnostic.wrapping {
        let peers = Peers(in: try Places.configuration())
        let records = try Remote.peers(settings.operands, in: peers.trust.load(), over: settings.version)
        if settings.address != nil, records.count > 1 {
          throw UsageError.conflict("'--address' is where one peer is: name that peer")
        }
        // Where nobody is trusted there is nothing to be made either.
        let device = try Device(creating: !settings.isDryRun)
        try pause(settings.jitter)
        do {
          return try withLock(settings) { try run(records, settings, rules, device, console) }
        } catch let error as Diagnostic where error.code == .alreadyRunning && console.quiet {
          return error.exit
        }
      }
    }
  }

  /// Nothing is written for a run that only says what it would do, not even a lock.
  private static func withLock(_ settings: Settings, _ body: () throws -> ExitStatus) throws -> ExitStatus {
    guard !settings.isDryRun else { return try body() }
    let lock = try RunLock(of: settings.store.path)
    return try withExtendedLifetime(lock, body)
  }

  private static func run(
    _ records: [TrustRecord], _ settings: Settings, _ rules: SyncRules, _ device: Device, _ console: Console
  ) throws -> ExitStatus {
    let store = try settings.isDryRun ? OpenStore(forTrial: rules) : OpenStore(rules)
    let places = PeerPlaces(
      device.peers, place: settings.address, settings.listening, patience: settings.timeout,
      over: settings.version)
    let caller = try Caller(rules, device.identity, device.peers, store, places)
    var part = DialogueSpeaker.Part(.connector(settings.isDryRun ? .pull : settings.direction))
    part.isTrial = settings.isDryRun
    if settings.follow { part.waitSeconds = 60 }
    let work = Work(
      settings: settings, rules: rules, device: device, caller: caller, store: store, part: part)
    return try settings.follow ? work.follow(records, on: console) : work.once(records, on: console)
  }

  private static func pause(_ longest: Duration) throws(SystemError) {
    guard longest > .zero else { return }
    var polls = PollSet()
    polls.addInterruption()
    polls.wait(
      until: SystemClock.monotonic() + .milliseconds(Int64.random(in: 0...longest.wholeMilliseconds)))
    if Interruption.pending != nil { throw .interrupted }
  }
}
