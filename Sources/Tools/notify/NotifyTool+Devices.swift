import Chores
import CommandLine
import CommonInputs
import JSONLines
import Push
import RecordInputs
import SyncCore
import SystemIO

/// The command `devices`, which manages the devices of members.
extension NotifyTool {
  struct DeviceAddSettings: BadLineConfigurable, OutboxConfigurable, PresentConfigurable {
    var badLines = BadLineSettings()
    var outbox = OutboxPlace()
    var now: Instant?
    var member: String?
    var files: [String] = []
  }

  struct DeviceRemoveSettings: BadLineConfigurable, OutboxConfigurable {
    var badLines = BadLineSettings()
    var outbox = OutboxPlace()
    var member: String?
    var tokens: FilePath?
    /// The handles of devices, as `list` prints them, or beginnings of handles.
    var devices: [String] = []
  }

  struct DeviceListSettings: OutboxConfigurable, ListingConfigurable {
    var outbox = OutboxPlace()
    var listing = ListingSettings()
    var member: String?
  }

  static let devices = Command(
    "devices", "manage the devices of members",
    discussion: [
      "A token is the push service's name for a device. notify reads tokens from files or standard input, "
        + "never from the command line. Instead of a token, it prints 12 digits that derive from the token."
    ],
    subcommands: [
      Command(
        "add", "add devices, or assign them to another member",
        discussion: [
          "add reads lines with memberID, token and, if known, addedAt. With --member, the lines are bare "
            + "tokens. add writes the count as one object."
        ],
        settings: DeviceAddSettings(),
        options: Option.outboxPlace + Option.present + [
          .value("member", named: "MEMBER", "Add the devices to MEMBER; each line is a token.") {
            $0.member = $1
          }
        ] + Option.badLines,
        operands: .files { $1.files = $0 }, statuses: stored,
        examples: [.init("Add the devices that a file lists:", "notify devices add devices.jsonl")],
        run: runAddDevices),
      Command(
        "remove", "remove devices",
        discussion: [
          "DEVICE is an id that list prints (at least its first 4 characters). --tokens reads lines with a "
            + "token, such as the prune lines of send. If all devices of a push are removed before it was "
            + "delivered or failed, it waits for the recipient's next device."
        ],
        settings: DeviceRemoveSettings(),
        options: Option.outboxPlace + [
          .value("member", named: "MEMBER", "Remove all devices of MEMBER.") { $0.member = $1 },
          .value("tokens", "Remove the devices with tokens in FILE.") { $0.tokens = $1 },
        ] + Option.badLines,
        operands: Operands("[DEVICE...]", count: 0...Int.max, completion: .nothing) { $1.devices = $0 },
        statuses: [.no] + stored,
        examples: [
          .init("Remove the devices of a member who has moved out:", "notify devices remove --member ben")
        ],
        run: runRemoveDevices),
      Command(
        "list", "write the devices, one object each", settings: DeviceListSettings(),
        options: Option.outboxPlace + [
          .value("member", named: "MEMBER", "Write only the devices of MEMBER.") { $0.member = $1 }
        ] + Option.json,
        statuses: asked,
        examples: [.init("List the members who have devices:", "notify devices list | jq -r .memberID")],
        run: runListDevices),
    ])

  private static func runAddDevices(_ settings: DeviceAddSettings, on console: Console) throws -> ExitStatus {
    try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      var devices: [Device] = []
      if let member = settings.member {
        try forEachLine(of: settings.files, &badLines) { line in
          devices.append(
            Device(token: try Device.token(bare: line), member: RecordID(member), added: settings.present))
        }
      } else {
        try forEachObject(of: settings.files, &badLines, mayHaveToken: true) { value, _ in
          devices.append(try Device(value, present: settings.present))
        }
      }
      try badLines.save()
      try withOutbox(settings.outbox, console, creating: true) { outbox in
        try outbox.write { try outbox.add(devices) }
      }
      try write(["added": .integer(devices.count)])
      return .done
    }
  }

  private static func runRemoveDevices(_ settings: DeviceRemoveSettings, on console: Console) throws
    -> ExitStatus
  {
    guard !settings.devices.isEmpty || settings.member != nil || settings.tokens != nil else {
      throw UsageError.conflict("remove needs DEVICE, --member or --tokens")
    }
    return try BadLines.collecting(
      settings, inputs: settings.tokens.map { [$0.path] } ?? [], on: console
    ) { badLines in
      var tokens: Set<DeviceToken> = []
      if let file = settings.tokens {
        try forEachObject(of: [file.path], &badLines, mayHaveToken: true) { value, _ in
          tokens.insert(try Device.token(in: value))
        }
      }
      try badLines.save()
      let (count, ambiguous) = try withOutbox(settings.outbox, console) { outbox in
        try outbox.write {
          let devices = try outbox.devices()
          let ids = devices.map { RecordID($0.token.handle) }
          var ambiguous: [(name: String, count: Int)] = []
          for name in settings.devices {
            let start = RecordID(name)
            let found = ids.indices.filter { ids[$0].isMeant(by: start) }
            if found.count == 1 { tokens.insert(devices[found[0]].token) }
            if found.count > 1 { ambiguous.append((name, found.count)) }
          }
          let named = devices.filter { device in
            tokens.contains(device.token) || settings.member.map { RecordID($0) == device.member } ?? false
          }
          for device in named { try outbox.remove(device.token) }
          return (named.count, ambiguous)
        }
      }
      try write(["removed": .integer(count)])
      for (name, matches) in ambiguous { console.note(matches, of: "device", named: name) }
      return count == 0 || !ambiguous.isEmpty ? .no : .done
    }
  }

  private static func runListDevices(_ settings: DeviceListSettings, on console: Console) throws -> ExitStatus
  {
    let devices = try withOutbox(settings.outbox, console, onlyRead: true) {
      try $0.devices(of: settings.member.map { RecordID($0) })
    }
    var listing = Listing(
      [.init("member", "memberID"), .init("device", "device", as: .id), .init("added", "addedAt", as: .age)],
      settings.listing)
    for device in devices {
      try listing.add([
        "memberID": .string(device.member.text), "device": .string(device.token.handle),
        "addedAt": .string(device.added.brief),
      ])
    }
    try listing.finish(none: "no devices; 'notify devices add' adds them", on: console)
    return .done
  }
}

extension Device {
  /// Reads a line with `memberID` and `token`; `addedAt` is when it was added, by default `present`.
  init(_ line: JSONValue, present: Instant) throws(NotificationError) {
    let members = Members<NotificationError>(line.objectValue ?? [])
    let added = try members.find("addedAt", as: "a time") { $0.stringValue.flatMap { Instant($0) } }
    self.init(
      token: try Self.token(in: line), member: RecordID(try members.string("memberID")),
      added: added ?? present)
  }

  /// The token of a line, or of its member `prune`.
  static func token(in line: JSONValue) throws(NotificationError) -> DeviceToken {
    guard let value = line["token"] ?? line["prune"]?["token"] else { throw .missingMember("token") }
    guard let token = value.stringValue.flatMap({ DeviceToken($0) }) else { throw noToken }
    return token
  }

  /// The token of a line that consists of a bare token.
  static func token(bare line: Span<UInt8>) throws(NotificationError) -> DeviceToken {
    var bytes: [UInt8] = []
    bytes.append(line)
    guard let token = DeviceToken(String(decoding: bytes, as: UTF8.self)) else { throw noToken }
    return token
  }

  private static let noToken = NotificationError.wrongType(
    "token", expected: "a string of hexadecimal digits")
}
