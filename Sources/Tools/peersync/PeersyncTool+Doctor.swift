import CommandLine
import CommonInputs
import JSONLines
import SystemIO
import RecordInputs

extension PeersyncTool {
  static let doctor = Command(
    "doctor", "find problems that prevent this device from syncing",
    discussion: [
      "doctor checks this device's identity and files, the store, the bound files and tables, the tools on "
        + "PATH and the network. Then it requests the state of each peer and remote, as 'peersync status "
        + "--check' does. It does not change files or records.",
      "doctor prints one JSON line per finding, or text on a terminal. The state of a finding is well, note "
        + "or problem. A problem has a code, and a hint with a remedy. The exit status is 1 if a problem was "
        + "found.",
    ],
    settings: Settings(),
    options: [
      .flag("offline", "Check only this device, not peers and remotes.") { $0.isOffline = true },
      timeout,
    ] + Option.json + Option.storePlace,
    statuses: [.no, .noInput, .inputOutput],
    examples: [
      .init(
        "Print the remedy for each problem:",
        "peersync doctor | jq -r 'select(.state == \"problem\") | .hint'")
    ],
    run: runDoctor)

  private static func runDoctor(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try settings.store.refuseBoundOutput()
    let doctor = Doctor(settings, on: console)
    try doctor.lookAtDevice()
    let peers = try doctor.lookAtPeers()
    let remotes = try doctor.lookAtRemotes()
    let isUsable = try doctor.lookAtStore()
    try doctor.lookAtPrograms()
    var isReached = false
    if isUsable, let peers, let remotes, !settings.isOffline || peers.isEmpty && remotes.isEmpty {
      isReached = try doctor.ask(peers, remotes)
    }
    let needsNetwork = peers.map { !$0.isEmpty && !doctor.areOnThisMachine($0) } ?? false
    try doctor.lookAtNetwork(needed: needsNetwork && !isReached)
    return doctor.problems == 0 ? .done : .no
  }
}
