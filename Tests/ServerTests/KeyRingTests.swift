import Foundation
import JSONLines
import Server
import SyncCore
import TestSupport
import Testing

@Suite struct KeyRingTests {
  private let folder: TemporaryFolder
  private let ring: KeyRing
  private let now = Instant("2025-06-01T00:00:00Z")!

  init() throws {
    folder = try TemporaryFolder()
    ring = KeyRing(in: folder.path("server"))
  }

  private func key(_ change: (inout KeyRecord) -> Void = { _ in }) throws -> String {
    var record = KeyRecord(id: "0123456789abcdef", household: "home", createdAt: now)
    change(&record)
    let (made, text) = (record, try ring.text(of: record))
    try ring.change { $0.append(made) }
    return text
  }

  @Test func aKeyOpensItsHousehold() throws {
    let text = try key()
    #expect(try ring.find(text, at: now).get().household == "home")
    // Another process reads the same files.
    #expect(try KeyRing(in: folder.path("server")).find(text, at: now).get().id == "0123456789abcdef")
  }

  @Test func whatIsOnlyLikeAKeyOpensNothing() throws {
    let text = try key()
    let parts = text.split(separator: ".").map(String.init)
    var last = Array(parts[3])
    last[0] = last[0] == "A" ? "B" : "A"
    let others = [
      "", ".", "...", text + ".", " " + text, text.uppercased(), "ps1.other.\(parts[2]).\(parts[3])",
      "ps2.home.\(parts[2]).\(parts[3])", "ps1.home.\(parts[2]).\(String(last))", "ps1.home.\(parts[2]).",
      "ps1.home.ffffffffffffffff.\(parts[3])", String(repeating: "a", count: 100_000),
    ]
    for other in others {
      #expect(try ring.find(other, at: now) == .failure(.unknown), "\(other.prefix(80))")
    }
    // Of a server with another secret.
    #expect(try KeyRing(in: folder.path("other")).find(text, at: now) == .failure(.unknown))
  }

  @Test func itEndsWhenItIsToEnd() throws {
    let text = try key { $0.expiresAt = now.advanced(by: .seconds(10)) }
    #expect(try ring.find(text, at: now.advanced(by: .seconds(9))).get().id == "0123456789abcdef")
    #expect(try ring.find(text, at: now.advanced(by: .seconds(10))) == .failure(.expired))
    try ring.change { $0[0].revokedAt = now.advanced(by: .seconds(5)) }
    #expect(try ring.find(text, at: now).get().id == "0123456789abcdef")
    #expect(try ring.find(text, at: now.advanced(by: .seconds(5))) == .failure(.revoked))
  }

  /// A rotated key ends at its time; a revoked one stays revoked even if the clock steps back.
  @Test func aRevokedKeyStaysRevoked() throws {
    let text = try key()
    try ring.change { $0[0].replace(at: now.advanced(by: .seconds(5))) }
    #expect(try ring.find(text, at: now).get().id == "0123456789abcdef")
    try ring.change { $0[0].revoke(at: now) }
    for seconds in [-3_600, 0, 3_600] {
      #expect(try ring.find(text, at: now.advanced(by: .seconds(seconds))) == .failure(.revoked))
    }
    #expect(try ring.load()[0].revokedAt == now)
  }

  @Test func aDamagedLineOpensNothing() throws {
    let text = try key { $0.expiresAt = now }
    let path = folder.path("server/keys.jsonl")
    let lines = try String(contentsOfFile: path, encoding: .utf8)
    try Data(lines.replacing("2025-06-01T00:00:00.000Z\"}", with: "soon\"}").utf8).write(
      to: URL(filePath: path))
    #expect(throws: Diagnostic.self) { try ring.find(text, at: now) }
  }

  @Test func theSecretIsForItsOwner() throws {
    _ = try key()
    for name in ["server.key", "keys.jsonl"] {
      let mode = try FileManager.default.attributesOfItem(atPath: folder.path("server/\(name)"))[
        .posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }
}
