import CommandLine
import CommonInputs
import Crypto
import JSONLines
import Links
import Pairing
import PairingInputs
import SyncCore
import SystemIO

extension PeerpairTool {
  static func runIdentity(_ settings: IdentitySettings, on console: Console) throws -> ExitStatus {
    let file = IdentityFile(in: try Places.configuration())
    var identity = try peers().identity(in: file, named: settings.deviceName?.text ?? HostName.short)
    if let name = settings.deviceName?.text, name != identity.deviceName {
      identity = try file.rename(to: name)
    }
    try Descriptor.standardOutput.write(line: [
      "peerId": .string(identity.peerId), "deviceName": .string(identity.deviceName),
      "publicKeyFingerprint": .string(identity.fingerprint.text),
      "version1Fingerprint": .string(identity.version1Fingerprint),
    ])
    return .done
  }

  static func runList(_ settings: ListingSettings, on console: Console) throws -> ExitStatus {
    var listing = Listing(
      [
        .init("name", "deviceName"), .init("id", "peerId"), .init("protocol", "protocolVersion", as: .count),
        .init("paired", "pairedAt", as: .age), .init("last sync", "lastSuccessfulSyncAt", as: .age),
      ], settings)
    for record in try peers().trust.load().records { try listing.add(record.json) }
    try listing.finish(
      none: "no trusted peers yet; 'peersync pair' adds one", on: console)
    return .done
  }

  static func runShow(_ peer: String, on console: Console) throws -> ExitStatus {
    try write([peers().trust.load().named(peer)])
    return .done
  }

  static func runForget(_ settings: ChangeSettings, on console: Console) throws -> ExitStatus {
    let peers = try peers()
    let record = try peers.trust.load().named(settings.operand)
    let forgotten: Result<Void, TrustError> =
      try settings.isDryRun ? .success(()) : peers.forget(record.peerId)
    try write([record])
    try forgotten.get()
    return .done
  }

  static func runExport(_ names: [String], on console: Console) throws -> ExitStatus {
    let list = try peers().trust.load()
    // A peer that is named twice is exported once, because import refuses a second record.
    var chosen = TrustList()
    for name in names { try chosen.store(list.named(name)) }
    try write(names.isEmpty ? list.records : chosen.records)
    return .done
  }

  static func runImport(_ settings: ChangeSettings, on console: Console) throws -> ExitStatus {
    let imported = try parse(ByteInput.contents(of: settings.operand), settings.operand)
    let identity = try identityIfPresent()
    let trust = try peers().trust
    var list = try trust.load()
    try add(imported, to: &list, identity)
    if !settings.isDryRun {
      try trust.change { list throws(TrustError) in try add(imported, to: &list, identity) }
    }
    try write(imported.records)
    return .done
  }

  private static func parse(_ text: [UInt8], _ path: String) throws -> TrustList {
    do throws(DamagedLine) {
      return try TrustList(parsing: text)
    } catch {
      throw Diagnostic(.damagedRecord, error.message, file: path, line: error.line).hinting(at: text.span)
    }
  }

  private static func add(
    _ imported: TrustList, to list: inout TrustList, _ identity: DeviceIdentity?
  ) throws(TrustError) {
    // The peers of one list may have the same name over different versions, in any order.
    let known = list
    for record in imported.records {
      try known.check(record, own: identity?.introduction(over: record.version))
      list.store(record)
    }
  }

  // MARK: Parts

  /// This device's identity; nil if it does not exist yet, as managing the list does not make a key.
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

  static func peers() throws -> Peers { Peers(in: try Places.configuration()) }

  private static func write(_ records: [TrustRecord]) throws(SystemError) {
    for record in records { try Descriptor.standardOutput.write(line: record.json) }
  }
}
