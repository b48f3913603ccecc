import Chores
import Crypto
import JSONLines
import ServerProtocol
import Store
import SyncCore

/// A request for the status of a household, as a web page or for Prometheus.
struct ReportRequest {
  private let key: KeyRecord
  private let rules: HouseholdRules
  private let keys: KeyRing
  private let traffic: Traffic
  private let waiting: Int

  init(_ key: KeyRecord, _ rules: HouseholdRules, _ keys: KeyRing, _ traffic: Traffic, waiting: Int) {
    (self.key, self.rules, self.keys, self.traffic, self.waiting) = (key, rules, keys, traffic, waiting)
  }

  private static let (mostTurns, mostPushes) = (20, 10)

  // MARK: The page

  func page(of household: OpenHousehold) throws -> HTTPResponse {
    let store = household.store
    let upcoming = try upcoming(of: household)
    let names = upcoming?.names ?? [:]
    let page = try store.read {
      let (pushes, pushCount) = try store.lastPushes(Self.mostPushes)
      let counts = try store.counts()
      let tables = [
        upcoming.map { turns($0.turns) }, try syncs(store, names), try devices(store, names),
        self.pushes(pushes, names),
      ]
      return StatusPage(
        household.name,
        [
          .init("Revision", "\(try store.revision())"), .init("Records", "\(counts.live)"),
          .init("Deletions", "\(counts.tombstones)"), .init("Set aside", "\(counts.quarantined)"),
          .init("Store", "\((counts.bytes + 1_023) / 1_024) KiB"), .init("Pushes", "\(pushCount)"),
          .init("As of, in UTC", rules.now().inMinutes),
        ], tables.compactMap { $0 })
    }
    var response = HTTPResponse(
      200, [.init("Content-Type", "text/html; charset=utf-8")], Array(page.html.utf8))
    let style = Array(StatusPage.style.utf8)
    let digest = try Digest.sha256(style.span)
    response.fields += [
      .init("Content-Security-Policy", StatusPage.policy(digest: TokenText.text(digest))),
      .init("X-Content-Type-Options", "nosniff"),
      .init("Referrer-Policy", "no-referrer"),
    ]
    return response
  }

  private func turns(_ turns: [UpcomingTurn]) -> StatusPage.Table {
    .init(
      "What is due", ["when", "chore", "whose turn"],
      turns.map { [$0.due.inMinutes, $0.chore, $0.member ?? "nobody's"] },
      nothing: "Nothing is due.")
  }

  /// The keys with which devices sync, listed without their secrets.
  private func syncs(_ store: ChangeStore, _ names: [String: String]) throws -> StatusPage.Table {
    let records = try keys.load().filter { $0.household == key.household && $0.revokedAt == nil }
    let rows = records.map { record in
      [
        record.device ?? record.id, record.member.map { names.name(of: $0) } ?? "",
        traffic.lastRequest(of: record.id)?.inMinutes ?? "not since the server was started",
      ]
    }
    return .init(
      "Last syncs", ["device", "member", "last request"], rows, nothing: "The household has no keys.")
  }

  private func devices(_ store: ChangeStore, _ names: [String: String]) throws -> StatusPage.Table {
    let rows = try store.devices().map {
      [String($0.token.prefix(8)) + "…", names.name(of: $0.member), Instant($0.addedAt)?.inMinutes ?? ""]
    }
    return .init(
      "Devices for pushes", ["token", "member", "since"], rows, nothing: "No devices.")
  }

  private func pushes(_ lines: [String], _ names: [String: String]) -> StatusPage.Table {
    let rows = lines.compactMap { line -> [String]? in
      let line = Array(line.utf8)
      guard let value = try? JSONValue(parsing: line.span), let kind = value["kind"]?.stringValue else {
        return nil
      }
      return [
        value["notBefore"]?.stringValue.flatMap { Instant($0) }?.inMinutes ?? "", kind,
        names.name(of: value["recipient"]?.stringValue ?? ""),
        value["title"]?.stringValue ?? "",
      ]
    }
    return .init("Last pushes", ["when", "kind", "to", "about"], rows, nothing: "No notifications yet.")
  }

  /// The data of the next turns; nil for a household that does not plan chores.
  private func upcoming(of household: OpenHousehold) throws -> OpenHousehold.Upcoming? {
    guard let shape = try household.store.rules(), shape.hasSameRules(as: .chores) else { return nil }
    return try household.store.read {
      if let known = household.upcoming, known.state == household.store.state { return known }
      let records = try PlannedTurns(household, rules).records().household
      let names = records.members.map { ($0.id.text.lowercased(), $0.label) }
      let upcoming = OpenHousehold.Upcoming(
        state: household.store.state, turns: records.upcomingTurns(Self.mostTurns),
        names: Dictionary(names) { first, _ in first })
      household.upcoming = upcoming
      return upcoming
    }
  }

  // MARK: Numbers

  /// The text format of Prometheus, version 0.0.4.
  func metrics(of household: OpenHousehold) throws -> HTTPResponse {
    let store = household.store
    var text = ""
    func add(_ name: String, _ type: String, _ help: String, _ values: [(labels: String, value: Int64)]) {
      text += "# HELP peersync_\(name) \(help)\n# TYPE peersync_\(name) \(type)\n"
      for (labels, value) in values {
        text += "peersync_\(name){household=\"\(household.name)\"\(labels)} \(value)\n"
      }
    }
    try store.read {
      let counts = try store.counts()
      add("changes_total", "counter", "All changes stored so far.", [("", store.sequence)])
      add("records", "gauge", "Records.", [("", Int64(counts.live))])
      add("deletions", "gauge", "Deletions that are kept for devices.", [("", Int64(counts.tombstones))])
      add("quarantined", "gauge", "Lines that could not be applied.", [("", Int64(counts.quarantined))])
      add("store_bytes", "gauge", "Size of the store without its log.", [("", counts.bytes)])
      add("push_devices", "gauge", "Devices that receive pushes.", [("", Int64(try store.devices().count))])
      add("pushes", "gauge", "Notifications that are kept.", [("", Int64(try store.lastPushes(0).all))])
    }
    add("waiting_requests", "gauge", "Requests that wait for a change.", [("", Int64(waiting))])
    add(
      "requests_total", "counter", "Requests with a key since the server was started.",
      traffic.counts(of: household.name).map {
        (",path=\"\($0.path)\",status=\"\($0.status)\"", Int64($0.count))
      })
    return HTTPResponse(
      200,
      [
        .init("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
      ],
      Array(text.utf8))
  }
}

extension [String: String] {
  /// The display name of a member; the id if the member does not have a name.
  fileprivate func name(of id: String) -> String { self[id.lowercased()] ?? id }
}

extension Instant {
  /// The time in UTC, in a readable form: `2026-11-25 20:00`.
  fileprivate var inMinutes: String { brief.prefix(16).map { $0 == "T" ? " " : String($0) }.joined() }
}
