import Foundation
import Testing

/// syncserve and shared folders with other programs around them, and attacks byte by byte.
///
/// As root, or where users may have namespaces; elsewhere a test is skipped by name, except in CI.
@Suite struct ServersTests {
  @Test(arguments: [
    ("smuggling", "nginx", ["nginx"]), ("smuggling", "haproxy", ["haproxy"]),
    ("kills", "server", []), ("kills", "client", []), ("kills", "carried", []),
    ("hostile", "keys", []), ("hostile", "bodies", []), ("hostile", "tokens", []), ("hostile", "readers", []),
    ("trouble", "full", []), ("trouble", "restored", []), ("trouble", "two", []), ("trouble", "another", []),
    ("trouble", "taken_back", []), ("trouble", "unrevoked", []), ("trouble", "purged", []),
    ("trouble", "locked", []),
    ("carriers", "rclone", ["rclone"]), ("front", "caddy", ["caddy"]), ("contract", "described", []),
    ("database", "killed", ["psql"]), ("database", "pooled", ["psql", "pgbouncer"]),
    ("database", "lagging", ["psql"]), ("database", "moved", ["psql"]), ("database", "outage", ["psql"]),
    ("database", "interrupted", ["psql"]), ("database", "oversized", ["psql"]),
    ("database", "replaced", ["psql"]),
    ("database", "silent", ["psql"]), ("database", "plaintext", ["psql"]), ("database", "unfit", ["psql"]),
    ("database", "encrypted", ["psql", "openssl"]), ("database", "limited", ["psql"]),
    ("capture", "decrypted", ["tcpdump", "tshark"]), ("collection", "mirror", []), ("collection", "late", []),
    ("collection", "removed", []),
    ("collection", "edited", []), ("collection", "raced", []), ("collection", "trouble", []),
    ("collection", "refused", []), ("collection", "restored", []), ("collection", "killed", []),
    ("collection", "many", []), ("collection_rules", "agreed", []),
    ("collection_rules", "aside", []), ("collection_rules", "blocked", []), ("collection_rules", "added", []),
    ("collection_rules", "unbumped", []), ("collection_undone", "edits", []),
    ("collection_undone", "deletions", []), ("collection_undone", "clocks", []),
    ("collection_undone", "twins", []),
    ("collection_undone", "rules", []), ("collection_undone", "emptied", []),
    ("collection_stories", "seeds", []),
  ])
  func scenario(file: String, name: String, programs: [String]) async throws {
    try await run(file, name, programs)
  }

  /// Its workers are not root, which users' namespaces do not have.
  @Test(.enabled(if: getuid() == 0, "needs to be root"))
  func nginxByTheCookbook() async throws { try await run("front", "nginx", ["nginx", "openssl"]) }

  /// The same for longer: 500 kills, a minute of bytes that drip, hundreds of edits.
  @Test(
    .enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"),
    arguments: [
      ("kills", "server", []), ("kills", "client", []), ("kills", "carried", []), ("hostile", "bodies", []),
      ("database", "killed", ["psql"]), ("carriers", "rclone", ["rclone"]),
      ("carriers", "syncthing", ["syncthing"]),
      ("front", "nginx", ["nginx", "openssl"]), ("contract", "described", []),
      ("contract", "in_database", ["psql"]), ("load", "pull files", []), ("load", "pull database", ["psql"]),
      ("load", "steady files", []), ("load", "steady database", ["psql"]),
      ("collection", "late", []), ("collection", "killed", []), ("collection", "many", []),
      ("collection_stories", "seeds", []), ("emulator", "google", []),
    ])
  func long(file: String, name: String, programs: [String]) async throws {
    try await run(file, name, programs, "SOAK=1 ", limit: .seconds(10_800))
  }

  private func run(
    _ file: String, _ name: String, _ programs: [String], _ settings: String = "SOAK=0 ",
    limit: Duration = Scenario.hanging
  ) async throws {
    let script = Repository.root.appending(path: "Tests/Servers/run.sh").path
    try await Scenario.run(
      "servers \(file) \(name)", "\(settings)'\(script)' '\(Tools.folder)' \(file) \(name)",
      needs: ["python3", "unshare", "ip"] + programs, limit: limit)
  }
}
