import CommandLine
import CommonInputs
import JSONLines
import Server
import ServerProtocol
import Store
import SyncCore
import Synchronization
import SystemIO
import RecordInputs

extension SyncserveTool {
  static func runServer(_ settings: RunSettings, on console: Console) throws -> ExitStatus {
    guard settings.maxBody.bytes > 0 else {
      throw UsageError.conflict("'--max-body' must be more than 0; leave it out for 64M")
    }
    guard settings.quota?.bytes ?? Int.max >= 1 << 20 else {
      throw UsageError.conflict("'--quota' must be at least 1M")
    }
    let households = try settings.households()
    let places = households.places
    guard try !settings.names(of: households).isEmpty else {
      if let name = try settings.movingNames(of: households).first {
        throw Diagnostic(StoreError.beingMoved, store: places.label(of: name))
      }
      throw Diagnostic(
        .fileNotFound, "no household yet", file: settings.place?.path,
        hint: "make one: syncserve household add home --store \(ShellWord.path(settings.place?.path ?? ""))")
    }
    try checkPermissions(of: places)
    var rules = HouseholdRules(places) { settings.store.present }
    rules.wait = settings.store.wait
    (rules.maximumDrift, rules.deleteLimit) = (settings.store.maxDrift.duration, settings.store.maxDelete)
    rules.quota = settings.quota.map { Int64($0.bytes) }
    let zones = SystemZones()
    rules.zones = { zones.zone($0) }
    let keys = try settings.keyRing(places)
    try keys.check()
    let server = SyncServer(rules, keys, workers: 2 * Worker.processors) {
      console.report($0)
    } relief: {
      console.note($0)
    }
    var limits = HTTPServer.Limits()
    limits.body = settings.maxBody.bytes
    limits.bodies = max(limits.bodies, 2 * limits.body)
    try DescriptorLimit.require(HTTPServer.neededDescriptors)
    let listener = try settings.listen.open()
    let log = AccessLog()
    let http = try HTTPServer(listener, limits) {
      server.admit($0)
    } work: {
      server.work($0)
    } log: {
      server.count($0, $1)
      log.write($0, $1)
    }
    console.note("listening on \(listener.text)")
    if !settings.listen.isLocal {
      console.warn(
        "without TLS, anyone on the network can read the keys and records in transit",
        hint: "listen on 127.0.0.1 behind a proxy with TLS, such as Caddy or nginx")
    }
    if http.connections < 1_000 {
      console.note("at most \(http.connections) connections at a time, because of 'ulimit -n'")
    }
    var next = Duration.zero
    while Interruption.pending == nil {
      let now = SystemClock.monotonic()
      server.tend(at: now)
      if next <= now { next = http.tend(at: now) }
      var polls = PollSet()
      polls.addInterruption()
      polls.wait(until: now + .milliseconds(250))
    }
    server.stop()
    // A request may still wait for a store that another program has locked. As after a kill, nothing of it is
    // stored.
    if http.stop(until: SystemClock.monotonic() + .seconds(10)) { server.close() }
    log.writeOmitted()
    return .done
  }

  /// A store that everyone may write to is refused at the start, not at each request.
  private static func checkPermissions(of places: HouseholdPlaces) throws {
    for path in try places.names.compactMap(places.path(of:)) {
      try Diagnostic.naming(store: path) { if FileMode.isForAll(path) { throw StoreError.isForAll } }
    }
  }
}

/// Writes one JSON line per answer to standard output.
///
/// Strangers must not fill the disk: requests without a key get at most 100 lines at once and 10 more per
/// second. A reader of the log that stalls must not stop the server: lines for which a pipe has no room are
/// left out. A later line reports the number of requests that were left out.
final class AccessLog: Sendable {
  private let strangers = Rates(each: 10, most: 100)
  private let omitted = Mutex(0)
  private let output = Mutex(())

  func write(_ exchange: HTTPExchange, _ response: HTTPResponse) {
    let now = SystemClock.monotonic()
    let key = SyncServer.key(of: exchange)
    if key == nil, strangers.wait("", at: now) != nil { return omitted.withLock { $0 += 1 } }
    writeOmitted()
    var members: [JSONMember] = [
      .init("remote", .string(exchange.remote)),
      .init("method", .string(Self.start(of: exchange.head.method))),
      .init("path", .string(Self.start(of: exchange.head.path))), .init("status", .integer(response.status)),
      .init("bytesReceived", .integer(exchange.body.count)),
      .init("bytesSent", .integer(response.body.count)),
      .init("milliseconds", .integer((now - exchange.begun).wholeMilliseconds)),
    ]
    if let key { members += [.init("household", .string(key.household)), .init("keyId", .string(key.id))] }
    write(members)
  }

  /// Reports how many requests were left out of the log since the last report.
  func writeOmitted() {
    let count = omitted.withLock { count in
      defer { count = 0 }
      return count
    }
    if count > 0 { write([.init("omitted", .integer(count))], standingFor: count) }
  }

  /// The start of a method or path; the line must fit into a pipe even if each byte is escaped.
  private static func start(of text: String) -> String { text.prefix(300).cut(toBytes: 300) }

  /// Writes a line about `count` requests; a server must neither end nor wait because of its log.
  private func write(_ members: [JSONMember], standingFor count: Int = 1) {
    let all: [JSONMember] = [.init("at", .string("\(Instant.wallClock)"))] + members
    let line = JSONValue.object(all).text.escapingControlsInJSON + "\n"
    let isWritten = output.withLock { _ -> Bool in
      // A write that waits would block every thread that answers requests.
      guard line.utf8.count <= Self.pipeUnit, Descriptor.standardOutput.isWritable else { return false }
      return (try? Descriptor.standardOutput.write(line)) != nil
    }
    if !isWritten { omitted.withLock { $0 += count } }
  }

  /// The longest write that ``Descriptor/isWritable`` is about.
  private static let pipeUnit = 4 << 10
}
