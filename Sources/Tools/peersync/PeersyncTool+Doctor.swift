import CommandLine
import CoreInputs
import JSONLines
import SystemIO
import ToolInputs

extension PeersyncTool {
  static let doctor = Command(
    "doctor", "look for what keeps this device from syncing",
    discussion: [
      "It looks at the identity and the files of this device, at the store and the files and tables that are bound, at the tools "
        + "on PATH and at the network. Then it asks each peer and remote what it has, as 'peersync status --check' does. It "
        + "changes nothing.",
      "Prints one line per finding. Its state is well, note or problem; a problem has a code and a hint, which says what to do. On "
        + "a terminal the lines are for people. The exit status is 1 if there is a problem.",
    ],
    settings: Settings(),
    options: [
      .flag("offline", "Look at this device alone; ask no peer and no remote.") { $0.isOffline = true },
      timeout,
    ] + Option.json + Option.storePlace,
    statuses: [.no, .inputOutput],
    examples: [
      .init(
        "What is wrong, and what to do about it:",
        "peersync doctor | jq -r 'select(.state == \"problem\") | .hint'")
    ],
    run: runDoctor)

  private static func runDoctor(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let doctor = Doctor(settings, on: console)
    try doctor.lookAtDevice()
    let peers = try doctor.lookAtPeers()
    let remotes = try doctor.lookAtRemotes()
    let isUsable = try doctor.lookAtStore()
    try doctor.lookAtPrograms()
    let isReached = try !settings.isOffline && isUsable && doctor.ask(peers, remotes)
    try doctor.lookAtNetwork(needed: !peers.isEmpty && !isReached)
    return doctor.problems == 0 ? .done : .no
  }
}
