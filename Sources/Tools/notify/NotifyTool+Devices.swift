import Chores
import CommandLine
import JSONLines
import Push
import SyncCore
import SystemIO

/// `devices`: where members can be reached.
extension NotifyTool {
  static let devices = Command(
    "devices", "the devices of members",
    discussion: [
      "A token is what the push service calls a device. It is read from files or standard input, never from the command "
        + "line, and never shown: a device is named by 12 digits that are made from it."
    ],
    subcommands: [
      Command(
        "add", "take devices, or give them to another member",
        discussion: [
          "Reads lines with memberID and token, as a server has them; with --member the lines are bare tokens. Writes "
            + "the count, one object."
        ],
        settings: Settings(),
        options: Option.outboxPlace + Option.present + [
          .value("member", named: "MEMBER", "Whose devices these are; the lines are tokens.") {
            $0.member = $1
          }
        ] + Option.badLines,
        operands: files, statuses: stored,
        examples: [.init("The devices that a server knows:", "notify devices add devices.jsonl")],
        run: runAddDevices),
      Command(
        "remove", "forget devices",
        discussion: [
          "DEVICE is what list shows. --tokens reads lines with a token, such as the prune lines of send."
        ],
        settings: Settings(),
        options: Option.outboxPlace + [
          .value("member", named: "MEMBER", "Forget all devices of MEMBER.") { $0.member = $1 },
          .value("tokens", "Forget those whose tokens are in FILE.") { $0.tokens = $1 },
        ] + Option.badLines,
        operands: Operands("[DEVICE...]", count: 0...Int.max) { $1.operands = $0 }, statuses: [.no] + stored,
        examples: [.init("Somebody has moved out:", "notify devices remove --member ben")],
        run: runRemoveDevices),
      Command(
        "list", "write the devices, one object each", settings: Settings(),
        options: Option.outboxPlace + [
          .value("member", named: "MEMBER", "Only the devices of MEMBER.") { $0.member = $1 }
        ],
        statuses: asked,
        examples: [.init("Where everybody can be reached:", "notify devices list | jq -r .memberID")],
        run: runListDevices),
    ])

  private static func runAddDevices(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try BadLines.collecting(settings, inputs: settings.operands, on: console) { badLines in
      var devices: [Device] = []
      if let member = settings.member {
        try forEachLine(of: settings.inputs, &badLines) { line in
          devices.append(
            Device(token: try Device.token(bare: line), member: RecordID(member), added: settings.present))
        }
      } else {
        try forEachObject(of: settings.inputs, &badLines) { value, _ in
          devices.append(try Device(value, added: settings.present))
        }
      }
      try withOutbox(settings, creating: true) { outbox in
        try outbox.write { for device in devices { try outbox.add(device) } }
      }
      try write(["added": .integer(devices.count)])
      return .done
    }
  }

  private static func runRemoveDevices(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard !settings.operands.isEmpty || settings.member != nil || settings.tokens != nil else {
      throw UsageError.conflict("remove needs DEVICE, --member or --tokens")
    }
    return try BadLines.collecting(
      settings, inputs: settings.tokens.map { [$0.path] } ?? [], on: console
    ) { badLines in
      var tokens: Set<DeviceToken> = []
      if let file = settings.tokens {
        try forEachObject(of: [file.path], &badLines) { value, _ in tokens.insert(try Device.token(in: value))
        }
      }
      let count = try withOutbox(settings) { outbox in
        try outbox.write {
          let named = try outbox.devices().filter { device in
            settings.operands.contains(device.token.handle) || tokens.contains(device.token)
              || settings.member.map { RecordID($0) == device.member } ?? false
          }
          for device in named { try outbox.remove(device.token) }
          return named.count
        }
      }
      try write(["removed": .integer(count)])
      return count == 0 ? .no : .done
    }
  }

  private static func runListDevices(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let devices = try withOutbox(settings) { try $0.devices(of: settings.member.map { RecordID($0) }) }
    for device in devices {
      try write([
        "memberID": .string(device.member.text), "device": .string(device.token.handle),
        "addedAt": .string(device.added.brief),
      ])
    }
    return .done
  }
}

extension Device {
  /// Reads a line with `memberID` and `token`.
  init(_ line: JSONValue, added: Instant) throws(NotificationError) {
    let member = try Members<NotificationError>(line.objectValue ?? []).string("memberID")
    self.init(token: try Self.token(in: line), member: RecordID(member), added: added)
  }

  /// The token of a line, or of its member `prune`.
  static func token(in line: JSONValue) throws(NotificationError) -> DeviceToken {
    guard let value = line["token"] ?? line["prune"]?["token"] else { throw .missingMember("token") }
    guard let token = value.stringValue.flatMap({ DeviceToken($0) }) else { throw noToken }
    return token
  }

  /// The token that a line is.
  static func token(bare line: Span<UInt8>) throws(NotificationError) -> DeviceToken {
    var bytes: [UInt8] = []
    bytes.append(line)
    guard let token = DeviceToken(String(decoding: bytes, as: UTF8.self)) else { throw noToken }
    return token
  }

  private static let noToken = NotificationError.wrongType(
    "token", expected: "a string of hexadecimal digits")
}
