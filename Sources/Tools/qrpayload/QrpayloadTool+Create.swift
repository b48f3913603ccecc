import CommandLine
import CommonInputs
import JSONLines
import PairingInputs
import Pairing
import SyncCore
import SystemIO

extension QrpayloadTool {
  static func runCreate(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let version = settings.version ?? .two
    if version == .one, settings.fingerprint != nil {
      throw UsageError.conflict(
        "version 1 has no fingerprint: leave '--fingerprint' out, or use '--protocol 2'")
    }
    let identity = try settings.identity.map { file in try IdentityLine(reading: file.path) }
    let fingerprint = settings.fingerprint?.text ?? identity?.fingerprint
    if version == .two, fingerprint == nil {
      throw UsageError.conflict(
        "version 2 needs --identity or --fingerprint ('peerpair identity' prints them)")
    }
    try checkReaders(of: settings.output)
    var files = SideFiles(inputs: [settings.identity?.path].compactMap(\.self))
    try files.add(settings.output)
    let now = settings.now ?? .wallClock
    let payload = PairingPayload(
      showing: settings.deviceName?.text ?? identity?.deviceName, session: try newBytes(),
      secret: try .make(newBytes), version: version, expiresAt: now.advanced(by: settings.lifetime.duration),
      publicKeyFingerprint: fingerprint, serviceType: settings.service.text)
    let line = settings.wantsText ? payload.base64 : Array(payload.json.text.utf8)
    try write(line + [10], to: settings.output)
    return .done
  }

  private static func newBytes() throws(SystemError) -> [UInt8] { try RandomBytes.make(16) }

  /// Refuses an output file with a mode that readers of the payload would refuse.
  private static func checkReaders(of output: FilePath?) throws {
    guard let output else { return try SecretSource.checkStandardOutput() }
    guard let looseness = try FileMode.looseness(ofNewSecret: output.path) else { return }
    throw Diagnostic(.looseSecretFile, looseness.problem, file: output.path, hint: looseness.remedy)
  }

  /// Writes output that contains the secret; a file is readable only by its owner.
  static func write(_ bytes: [UInt8], to output: FilePath?) throws(SystemError) {
    guard let output else { return try Descriptor.standardOutput.write(drawing: bytes.span) }
    let file = try AtomicFile(creating: output.path, mode: 0o600, isDrawing: true)
    try file.write(bytes.span)
    try file.commit()
  }
}

/// The output of `peerpair identity`.
private struct IdentityLine {
  var deviceName: String?
  var fingerprint: String

  init(reading path: String) throws {
    let text = try ByteInput.contents(of: path)
    let line: JSONValue
    do throws(JSONError) {
      line = try JSONValue(parsing: text.span)
    } catch {
      throw Diagnostic(
        error.code.errorCode, error.message, file: path, offset: error.offset
      ).hinting(atEncodingOf: text.span, in: path)
    }
    guard let fingerprint = line["publicKeyFingerprint"]?.stringValue else {
      throw Diagnostic(
        .missingMember, "missing member 'publicKeyFingerprint'", file: path,
        hint: "pipe the output of 'peerpair identity' into qrpayload")
    }
    guard HexDigits.isDigest(fingerprint) else {
      throw Diagnostic(.wrongType, "'publicKeyFingerprint' is not \(FingerprintText.expectation)", file: path)
    }
    self.fingerprint = fingerprint
    deviceName = line["deviceName"]?.stringValue
    if let deviceName, DeviceName.problem(of: deviceName) != nil {
      throw Diagnostic(.wrongType, "'deviceName' is not \(DeviceName.expectation)", file: path)
    }
  }
}
