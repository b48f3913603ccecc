import CommandLine
import CommonInputs
import JSONLines
import Server
import Store
import SyncCore
import SystemIO
import RecordInputs

/// `pushes` and `devices`: the data of the planner's households for `notify`.
extension SyncserveTool {
  struct PlannerSettings: PlaceConfigurable {
    var store = StoreSettings()
    var place: FilePath?
    var household: String?
    var follows = false
    var removed: FilePath?
    var database = DatabaseSettings()
  }

  static let pushes = Command(
    "pushes", "print notifications for members of households",
    discussion: [
      "pushes prints one line per notification, for 'notify outbox add', which stores each once. Requests to "
        + "/sync cause notifications. Reminders, and their withdrawals, are also made for records that "
        + "arrived in another way. The server keeps a notification until it expires. It keeps up to 10000 "
        + "per household, and up to 4 MiB or a quarter of --quota; the oldest are removed first. With "
        + "--follow, pushes keeps printing new notifications until a signal.",
      "Completions and skips sent to /changes do not cause notifications. For these, compare two states with "
        + "notify plan.",
    ],
    settings: PlannerSettings(),
    options: Option.place + [
      householdName,
      .flag("follow", short: "f", "Keep running until a signal.") { $0.follows = true },
    ],
    statuses: [.badData, .noInput, .inputOutput],
    examples: [
      .init(
        "Add the notifications to an outbox:",
        "syncserve pushes --store server/ | notify outbox add --store notify.db > added.json")
    ],
    run: runPushes)

  static let devices = Command(
    "devices", "print the devices that receive pushes",
    discussion: [
      "devices prints one line per device that was added through /devices, for 'notify devices add'. "
        + "--remove reads lines with a token, or the lines that 'notify send' prints; other lines are "
        + "skipped. If a line has memberID or addedAt, the device stays if it belongs to another member, or "
        + "was registered again after that time."
    ],
    settings: PlannerSettings(),
    options: Option.place + [
      householdName,
      .value("remove", "Remove the devices with tokens in FILE, and print them.") { $0.removed = $1 },
    ],
    statuses: [.badData, .noInput, .inputOutput, .tryAgain],
    examples: [
      .init(
        "Add the devices to an outbox:",
        "syncserve devices --store server/ | notify devices add --store notify.db > devices.json"),
      .init(
        "Remove devices that Apple reports as gone:",
        "syncserve devices --store server/ --remove sent.jsonl > gone.jsonl"),
    ],
    run: runDevices)

  private static let householdName = Option<PlannerSettings>.value(
    "household", named: "NAME", "Print only the lines of this household."
  ) { $0.household = $1 }

  private static func runPushes(_ settings: PlannerSettings, on console: Console) throws -> ExitStatus {
    let households = try settings.households()
    // The id of the store is kept too, because a new household of the same name has separate numbers.
    var read: [String: (watch: StoreWatch, id: StoreToken.StoreID?, last: Int64)] = [:]
    var round = HouseholdRound(on: console)
    while true {
      round.begin()
      try forEachHousehold(settings, households, &round) { name in
        if let path = households.places.path(of: name) {
          guard
            read[name, default: (StoreWatch(), nil, 0)].watch.mayHaveNews(path, at: SystemClock.monotonic())
          else { return }
        }
        // After an error the household is read again.
        let watch = read[name]?.watch
        read[name]?.watch = StoreWatch()
        let store = try households.open(name)
        let last = read[name]?.id == store.id ? read[name]?.last ?? 0 : 0
        read[name, default: (StoreWatch(), nil, 0)].id = store.id
        let now = Instant.wallClock
        read[name]?.last = try store.forEachPush(after: last) { line in
          // An outbox that has forgotten it would take it again, and report it as expired.
          if let expires = ChangeStore.expiry(ofPush: Array(line.utf8).span), expires <= now { return }
          try Descriptor.standardOutput.write("\(line)\n")
        }
        if let watch { read[name]?.watch = watch }
      }
      guard settings.follows, Interruption.pending == nil else { return round.status }
      var polls = PollSet()
      polls.addInterruption()
      polls.wait(until: SystemClock.monotonic() + .milliseconds(250))
    }
  }

  private static func runDevices(_ settings: PlannerSettings, on console: Console) throws -> ExitStatus {
    let removals = try settings.removed.map(removals)
    let households = try settings.households()
    var round = HouseholdRound(on: console)
    try forEachHousehold(settings, households, &round) { name in
      let store = try households.open(name)
      for var device in try store.read({ try store.devices() }) {
        if let removals {
          var removed: (member: String, addedAt: String)?
          for removal in removals[device.token] ?? [] where removed == nil {
            removed = try removal.perform(in: store)
          }
          guard let found = removed else { continue }
          (device.member, device.addedAt) = (found.member, found.addedAt)
        }
        let line: JSONValue = [
          "memberID": .string(device.member), "token": .string(device.token), "household": .string(name),
          "addedAt": .string(device.addedAt),
        ]
        try Descriptor.standardOutput.write(line: line)
      }
    }
    return round.status
  }

  /// The devices in the lines of devices and in prune lines, by their tokens.
  private static func removals(in file: FilePath) throws -> [String: [DeviceRemoval]] {
    var removals: [String: [DeviceRemoval]] = [:]
    var output = ByteOutput.standardOutput
    try InputLines.forEach(ofAll: [file.path], flushing: &output) { path, line, number, _ in
      do throws(JSONError) {
        let value = try JSONValue(parsing: line)
        guard let removal = DeviceRemoval(value["prune"] ?? value) else { return }
        removals[removal.token, default: []].append(removal)
      } catch {
        throw Diagnostic(error.code.errorCode, error.message, file: path, line: number)
      }
    }
    return removals
  }

  private static func forEachHousehold(
    _ settings: PlannerSettings, _ households: Households, _ round: inout HouseholdRound,
    _ body: (_ name: String) throws -> Void
  ) throws {
    let places = households.places
    // If the folder is not mounted, the list would be empty, and its reader would remove all devices.
    if places.serverFolder != nil, let path = settings.place?.path, !FileMode.exists(path) {
      throw Diagnostic(
        .fileNotFound, "no such file or folder", file: path,
        hint: "--store names the place where 'syncserve run' keeps its households")
    }
    if let wanted = settings.household {
      let name = try household(wanted, in: places).name
      return try Diagnostic.naming(store: places.label(of: name)) {
        guard try households.exists(name) else { throw try missing(name, households, settings.place?.path) }
        try body(name)
      }
    }
    for name in try settings.names(of: households) {
      try round.visit(places.label(of: name)) {
        guard try households.exists(name) else { throw unfinished(name, households, settings.place?.path) }
        try body(name)
      }
    }
  }
}
