import Foundation
import Testing

/// peerdiscover with other programs, on hosts that are network namespaces.
///
/// As root, or where users may have namespaces; elsewhere a test is skipped by name, except in CI.
@Suite(.serialized) struct InteropTests {
  @Test(arguments: [
    ("alone", []), ("only-v4", []), ("only-v6", []), ("with-command", []), ("interfaces", []),
    ("with-zeroconf", []), ("flood", []),
    ("with-avahi", ["avahi-daemon", "avahi-publish", "avahi-browse", "dbus-daemon"]),
    ("beside-avahi", ["avahi-daemon", "avahi-publish", "avahi-browse", "dbus-daemon", "setpriv"]),
  ])
  func scenario(name: String, programs: [String]) async throws { try await run(name, programs, limit: .seconds(180)) }

  /// In a user namespace, as without root.
  @Test func withoutRoot() async throws { try await run("alone", [], limit: .seconds(180), variables: "INTEROP_USER=1 ") }

  /// 200 processes on one link.
  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func many() async throws { try await run("many", [], limit: .seconds(600)) }

  private func run(_ name: String, _ programs: [String], limit: Duration, variables: String = "") async throws {
    let test = "interop \(name)"
    try Program.require(["python3", "unshare", "ip"] + programs, for: test)
    let script = Repository.root.appending(path: "Tests/Interop/run.sh").path
    let outcome = try await Sandbox(tools: Tools.folder)
      .run("\(variables)'\(script)' '\(Tools.folder)' \(name)", limit: limit)
    let said = String(decoding: outcome.output + outcome.errors, as: UTF8.self)
    if outcome.status == 77, !Repository.isContinuousIntegration {
      print("skipped: \(test) needs namespaces")
      try Test.cancel("needs namespaces")
    }
    #expect(outcome.status == 0, "\(said)")
  }
}
