import CommandLineTool
import JSONLines
import SyncCore
import SystemIO
import Transport
import Trust

extension PeerpairTool {
  static func runIdentity(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try reporting {
      let file = IdentityFile(in: try Places.configuration())
      var identity = try file.loadOrCreate(deviceName: settings.deviceName?.text ?? HostName.short)
      if let name = settings.deviceName?.text, name != identity.deviceName {
        identity = try file.rename(to: name)
      }
      try write([
        .object([
          .init("peerId", .string(identity.peerId)), .init("deviceName", .string(identity.deviceName)),
          .init("publicKeyFingerprint", .string(identity.fingerprint.text)),
          .init("version1Fingerprint", .string(identity.version1Fingerprint)),
        ])
      ])
      return .done
    }
  }

  static func runList(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try reporting {
      try write(store().load().records.map(\.json))
      return .done
    }
  }

  static func runShow(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try reporting {
      try write([find(settings.operands[0], in: store().load()).json])
      return .done
    }
  }

  static func runForget(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try reporting {
      let store = try store()
      let record = try find(settings.operands[0], in: store.load())
      if !settings.isDryRun { try store.change { list throws(TrustError) in list.forget(record.peerId) } }
      try write([record.json])
      return .done
    }
  }

  static func runExport(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try reporting {
      let list = try store().load()
      let chosen = try settings.operands.map { try find($0, in: list) }
      try write((settings.operands.isEmpty ? list.records : chosen).map(\.json))
      return .done
    }
  }

  static func runImport(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try reporting {
      let path = settings.operands.first ?? "-"
      let imported = try parse(ByteInput.contents(of: path), path)
      let identity = try identityIfPresent()
      var list = try store().load()
      try add(imported, to: &list, identity)
      if !settings.isDryRun {
        try store().change { list throws(TrustError) in try add(imported, to: &list, identity) }
      }
      try write(imported.records.map(\.json))
      return .done
    }
  }

  private static func parse(_ text: [UInt8], _ path: String) throws -> TrustList {
    do throws(TrustList.Damage) {
      return try TrustList(parsing: text)
    } catch {
      throw Diagnostic(.damagedRecord, error.message, file: path, line: error.line)
    }
  }

  private static func add(
    _ imported: TrustList, to list: inout TrustList, _ identity: DeviceIdentity?
  ) throws(TrustError) {
    for record in imported.records {
      let own = identity?.introduction(over: record.version)
      if let conflict = list.conflict(with: record.introduction, over: record.version, own: own) {
        throw .conflict(conflict)
      }
      list.store(record)
    }
  }

  // MARK: Parts

  /// Nil where there is none yet: looking after a list makes no key.
  private static func identityIfPresent() throws -> DeviceIdentity? {
    do throws(TransportError) {
      return try IdentityFile(in: try places()).load()
    } catch {
      guard case .noIdentity = error else { throw error }
      return nil
    }
  }

  private static func places() throws(TransportError) -> String {
    do throws(SystemError) { return try Places.configuration() } catch { throw .system(error) }
  }

  static func store() throws -> TrustStore { TrustStore(in: try Places.configuration()) }

  private static func find(_ peer: String, in list: TrustList) throws(Diagnostic) -> TrustRecord {
    switch list.find(peer) {
    case .one(let record): return record
    case .none: throw Diagnostic(.unknownPeer, "no trusted peer is '\(peer)'", hint: "see 'peerpair list'")
    case .several(let records):
      let ids = records.map(\.peerId).joined(separator: ", ")
      throw Diagnostic(
        .unknownPeer, "'\(peer)' may be any of \(records.count) peers", hint: "name one by its id: \(ids)")
    }
  }

  /// Names come from other devices, and this may be a terminal.
  private static func write(_ lines: [JSONValue]) throws(SystemError) {
    for line in lines { try Descriptor.standardOutput.write(line.text.escapingControlsInJSON + "\n") }
  }
}
