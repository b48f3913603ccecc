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
  func refusal(scenario: String) throws { try run("refusals.py", scenario) }

  @Test(arguments: ["app_scans", "app_provides", "app_pulls", "app_serves", "stranger"])
  func version1(scenario: String) throws { try run("version1.py", scenario) }

  @Test func connectionCutInMidTransfer() throws { try run("sync.py", "cut_in_mid_transfer") }

  @Test func readerWhoDoesNotRead() throws { try run("sync.py", "reader_who_does_not_read") }

  @Test(arguments: [
    "store_in_use", "peer_that_drips", "remotes_that_do_not_wait", "links_of_one_peer", "notes_in_use",
  ])
  func holdup(scenario: String) throws { try run("holdups.py", scenario) }

  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func connectionCutAnywhere() throws { try run("sync.py", "cut_anywhere") }

  /// As root, or where users may have namespaces; elsewhere it is skipped by name, except in CI.
  @Test func twoHosts() throws { try run("sync.py", "two_hosts", in: "in-namespaces.sh", "ip", "nsenter") }

  private func run(_ file: String, _ scenario: String, in wrapper: String? = nil, _ programs: String...)
    throws
  {
    let test = "\(file) \(scenario)"
    try Program.require(["python3"] + programs, for: test)
    let folder = Repository.root.appending(path: "Tests/Interop/links").path
    let outer = wrapper.map { "'\(folder)/\($0)' " } ?? ""
    let outcome = try Sandbox(tools: Tools.folder)
      .run("\(outer)python3 -B '\(folder)/\(file)' \(scenario)", limit: .seconds(300))
    let said = String(decoding: outcome.output + outcome.errors, as: UTF8.self)
    if outcome.status == 77, wrapper != nil, !Repository.isContinuousIntegration {
      print("skipped: \(test) needs namespaces")
      try Test.cancel("needs namespaces")
    }
    #expect(outcome.status == 0, "\(said)")
  }
}
