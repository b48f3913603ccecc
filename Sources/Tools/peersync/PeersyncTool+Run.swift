import LinkInputs
import CommandLine
import Crypto
import JSONLines
import Links
import Pairing
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

extension PeersyncTool {
  static func runRun(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try settings.store.refuseBoundOutput()
    var (settings, console) = (settings, console)
    console.isVerbose = settings.isVerbose
    // A push does not delete local records.
    if settings.isDryRun, settings.direction == .push { settings.store.maxDelete = .off }
    if settings.version == .one, settings.follow || settings.direction == .push {
      throw UsageError.conflict(
        "protocol 1 does not support '--follow' and '--direction push'")
    }
    let sessions = try settings.sessions(on: console)
    try settings.listening.check()
    console.warn(openFolderOf: settings.store.path)
    if settings.follow, settings.isDryRun {
      throw UsageError.conflict("'--follow' and '--dry-run' cannot be used together")
    }
    if settings.follow { try DescriptorLimit.require(neededDescriptors) }
    return try sessions.naming {
      try Diagnostic.wrapping {
        let peers = Peers(in: try Places.configuration())
        let remotes = try remotes(settings)
        let records = try Remote.peers(
          settings.operands, in: peers.trust.load(), over: settings.version, hasOthers: !remotes.isEmpty)
        if settings.address != nil, records.count + remotes.count > 1 || records.isEmpty {
          throw UsageError.conflict("'--address' is for one peer: name that peer")
        }
        try settings.store.requireNoLoss(peers)
        let device = try Device(creating: !settings.isDryRun)
        try pause(settings.jitter)
        do {
          return try withLock(settings) { try run(records, remotes, settings, sessions, device, console) }
        } catch let error as Diagnostic where error.code == .alreadyRunning && console.quiet {
          return error.exit
        }
      }
    }
  }

  /// The named remotes, by default all; over version 1, or with an address, the default is an empty list.
  private static func remotes(_ settings: Settings) throws -> [RemoteRecord] {
    let remotes = try Remote.remotes(
      settings.operands, in: RemoteFile(in: Places.configuration()).load())
    guard settings.operands.isEmpty, settings.version == .one || settings.address != nil else {
      return remotes
    }
    return []
  }

  /// A dry run does not write files, not even a lock.
  private static func withLock(_ settings: Settings, _ body: () throws -> ExitStatus) throws -> ExitStatus {
    guard !settings.isDryRun else { return try body() }
    let lock = try RunLock(of: settings.store.path)
    return try withExtendedLifetime(lock, body)
  }

  private static func run(
    _ records: [TrustRecord], _ remotes: [RemoteRecord], _ settings: Settings, _ sessions: SessionSettings,
    _ device: Device, _ console: Console
  ) throws -> ExitStatus {
    console.step("the store is \(settings.store.path.escapingControls)")
    var work = try work(remotes, settings, sessions, device)
    let trusted = try device.peers.load()
    work.caller.tell = { console.step("\(trusted.mention(of: LinkPeer($0))): \($1.text.escapingControls)") }
    let trace = work.caller.trace
    if trace != nil, let remote = remotes.first {
      console.note("--trace is for peers; '\(remote.url.escapingControls)' is not a peer")
    }
    defer { trace?.log.tellLost(on: console) }
    return try settings.follow ? work.follow(records, on: console) : work.once(records, on: console)
  }

  static func work(
    _ remotes: [RemoteRecord], _ settings: Settings, _ sessions: SessionSettings, _ device: Device
  ) throws -> Work {
    let store = try settings.isDryRun ? OpenStore(forDryRun: sessions) : OpenStore(sessions)
    let places = PeerPlaces(
      device.peers, place: settings.address, interface: settings.listening.interface,
      network: settings.listening.network(settings.version), patience: settings.timeout,
      over: settings.version, awaitsNew: !settings.isDryRun && !settings.follow)
    let trace = try settings.openTrace(beside: store)
    let caller = try Caller(sessions, device.identity, device.peers, store, places, trace: trace)
    var part = DialogueSpeaker.Part(.connector(settings.isDryRun ? .pull : settings.direction))
    (part.isDryRun, part.comparesRecords) = (settings.isDryRun, settings.check)
    part.follows = settings.follow
    return Work(
      settings: settings, sessions: sessions, device: device, caller: caller, store: store, part: part,
      visits: RemoteVisits(records: remotes, settings: settings, device: device, store: store),
      output: RunOutput(settings.listing))
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
