import Foundation
import Testing

/// peerdiscover and pcapstream with other programs, on hosts that are network namespaces.
///
/// As root, or where users may have namespaces; elsewhere a test is skipped by name, except in CI. The test
/// with python-zeroconf is skipped too if `.ci/python-environment` has not fetched it.
@Suite struct InteropTests {
  @Test(arguments: [
    ("alone", []), ("only-v4", []), ("only-v6", []), ("with-command", []), ("interfaces", []),
    ("with-zeroconf", []), ("flood", []), ("captured", ["tcpdump", "tshark", "libpcap.so.0.8"]),
    ("connections", ["tcpdump", "tcpflow", "libpcap.so.0.8"]),
    ("with-avahi", ["avahi-daemon", "avahi-publish", "avahi-browse", "dbus-daemon"]),
    ("beside-avahi", ["avahi-daemon", "avahi-publish", "avahi-browse", "dbus-daemon", "setpriv"]),
  ])
  func scenario(name: String, programs: [String]) async throws { try await run(name, programs) }

  /// In a user namespace, as without root.
  @Test func withoutRoot() async throws { try await run("alone", [], variables: "INTEROP_USER=1 ") }

  /// 200 processes on one link.
  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func many() async throws { try await run("many", []) }

  /// 8,000 connections through a cable that loses packets.
  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"), arguments: 101...120)
  func manyConnections(seed: Int) async throws {
    try await run(
      "connections", ["tcpdump", "tcpflow", "libpcap.so.0.8"],
      variables: "INTEROP_SEED=\(seed) INTEROP_CONNECTIONS=400 ")
  }

  private func run(_ name: String, _ programs: [String], variables: String = "") async throws {
    let script = Repository.root.appending(path: "Tests/Interop/run.sh").path
    try await Scenario.run(
      "interop \(name)", "\(variables)'\(script)' '\(Tools.folder)' \(name)",
      needs: ["python3", "unshare", "ip"] + programs)
  }
}
