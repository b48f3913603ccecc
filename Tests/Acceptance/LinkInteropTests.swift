import Foundation
import Testing

/// The tools of a link with each other, with strangers, and with an app of protocol version 1; scenarios in Python.
@Suite struct LinkInteropTests {
  @Test(arguments: [
    "wrong_secret", "reused_secret", "expired_secret", "replayed_proof", "fourth_wrong_proof",
    "pair_done_without_pair_hello", "unsolicited_pair_confirm", "oversize_frame", "wrong_fingerprint",
    "goodbye_in_place_of_a_proof", "man_in_the_middle", "relayed_proof", "renamed_impostor",
    "known_id_with_a_new_key", "version_downgrade",
    "peer_of_version_2_over_version_1", "sync_of_a_stranger", "names_that_do_not_do", "squatter_of_version_1",
  ])
  func refusal(scenario: String) async throws { try await run("refusals.py", scenario) }

  @Test(arguments: [
    "lost_ack", "lost_ack_of_a_filter", "interrupted_wait", "crowded_pairing", "few_descriptors",
    "flood_of_key_updates", "flood_of_requests", "ever_new_addresses", "log_of_strangers",
  ])
  func stranger(scenario: String) async throws { try await run("strangers.py", scenario, in: nil, "prlimit") }

  @Test func crowdOfOneNetwork() async throws {
    try await run("strangers.py", "crowd_of_one_network", in: "in-namespaces.sh", "ip")
  }

  @Test(arguments: [
    "app_scans", "app_provides", "app_pulls", "app_serves", "everyday", "another_provider", "stranger",
  ])
  func version1(scenario: String) async throws { try await run("version1.py", scenario) }

  @Test func connectionCutInMidTransfer() async throws { try await run("sync.py", "cut_in_mid_transfer") }

  @Test func readerWhoDoesNotRead() async throws { try await run("sync.py", "reader_who_does_not_read") }

  @Test(arguments: [
    "store_in_use", "peer_that_drips", "remotes_that_do_not_wait", "links_of_one_peer", "notes_in_use",
    "message_too_large", "acks_of_unread_pages",
  ])
  func holdup(scenario: String) async throws { try await run("holdups.py", scenario) }

  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func connectionCutAnywhere() async throws { try await run("sync.py", "cut_anywhere") }

  /// As root, or where users may have namespaces; elsewhere it is skipped by name, except in CI.
  @Test(arguments: ["two_hosts", "interface_made_anew"])
  func hosts(scenario: String) async throws {
    try await run("sync.py", scenario, in: "in-namespaces.sh", "ip", "nsenter")
  }

  private func run(_ file: String, _ scenario: String, in wrapper: String? = nil, _ programs: String...)
    async throws
  {
    let folder = Repository.root.appending(path: "Tests/Interop/links").path
    let outer = wrapper.map { "'\(folder)/\($0)' " } ?? ""
    try await Scenario.run(
      "\(file) \(scenario)", "\(outer)python3 -B '\(folder)/\(file)' \(scenario)",
      needs: ["python3"] + programs)
  }
}
