import Foundation
import Testing

/// peerdiscover with other programs, on hosts that are network namespaces.
///
/// As root, or where users may have namespaces; elsewhere a test is skipped by name, except in CI.
@Suite(.serialized) struct InteropTests {
  @Test(arguments: [
    ("alone", []), ("with-command", []), ("interfaces", []), ("with-zeroconf", []),
    ("with-avahi", ["avahi-daemon", "avahi-publish", "avahi-browse", "dbus-daemon"]),
    ("beside-avahi", ["avahi-daemon", "avahi-publish", "avahi-browse", "dbus-daemon", "setpriv"]),
  ])
  func scenario(name: String, programs: [String]) throws {
    let test = "interop \(name)"
    try Program.require(["python3", "unshare", "ip"] + programs, for: test)
    let script = Repository.root.appending(path: "Tests/Interop/run.sh").path
    let outcome = try Sandbox(tools: Tools.folder)
      .run("'\(script)' '\(Tools.folder)' \(name)", limit: .seconds(180))
    let said = String(decoding: outcome.output + outcome.errors, as: UTF8.self)
    if outcome.status == 77, !Repository.isContinuousIntegration {
      print("skipped: \(test) needs namespaces")
      try Test.cancel("needs namespaces")
    }
    #expect(outcome.status == 0, "\(said)")
  }
}
