import CommandLine
import CommonInputs
import Discovery
import JSONLines
import Links
import Pairing
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

/// The checks of other programs, of the network, and of peers and remotes.
extension Doctor {
  /// Checks that the tools on `PATH` have this version, as tools of other versions use the same files.
  func lookAtPrograms() throws {
    for name in toolNames where name != PeersyncTool.command.name {
      let line: String
      switch Self.answer(of: [name, "--version"]) {
      case .missing: continue
      case .late:
        try note(
          .programs, "the '\(name)' on PATH did not answer in \(Self.longestAnswer.components.seconds) s",
          hint: "try again when this device is less busy: \(name) --version")
        continue
      case .line(let first): line = first
      }
      guard line != "\(name) \(Command.version)" else { continue }
      let answer = line.isEmpty ? "does not print its version" : "prints '\(line.prefix(60))'"
      try problem(
        .programs,
        Diagnostic(
          .programsDiffer, "the '\(name)' on PATH \(answer), and this is peersync \(Command.version)",
          hint: "install all tools again, or remove the others from PATH: command -v \(name)"))
    }
  }

  private enum Answer {
    /// The first line of the output; empty without output.
    case line(String)
    /// The program does not exist.
    case missing
    /// The program did not complete its first line in time.
    case late
  }

  /// How long a program may take to print its version on a slow device.
  private static let longestAnswer = Duration.seconds(10)

  private static func answer(of command: [String]) -> Answer {
    guard let child = try? ChildProcess.start(command, leading: true) else { return .missing }
    defer { child.signal(SIGKILL) }
    let deadline = SystemClock.monotonic() + longestAnswer
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_024, alignment: 1)
    defer { unsafe buffer.deallocate() }
    var text: [UInt8] = []
    while text.count < buffer.count, !text.contains(10) {
      var polls = PollSet()
      let output = polls.add(child.output.raw, reading: true)
      polls.wait(until: deadline)
      // The end of another child interrupts a wait.
      guard polls.isReady(output) || deadline <= SystemClock.monotonic() else { continue }
      guard polls.isReady(output) else { return .late }
      guard let count = try? unsafe child.output.read(into: buffer), count > 0 else { break }
      unsafe text += buffer[..<count]
    }
    return .line(String(decoding: text.prefix { $0 != 10 }, as: UTF8.self))
  }

  /// Whether all known addresses of peers are on this machine, so that they do not need a network.
  func areOnThisMachine(_ peers: [TrustRecord]) -> Bool {
    let known = transfers.filter { transfer in peers.contains { transfer.isAbout($0.peerId) } }
    let addresses = known.compactMap(\.address).compactMap { HostAndPort($0) }
    return !addresses.isEmpty && addresses.allSatisfy(\.isLoopback)
  }

  /// Checks that a network is connected, and that peers can be found on it by multicast.
  ///
  /// `needed` means that peers on other machines exist and that all failed to answer.
  func lookAtNetwork(needed: Bool) throws {
    let networks = NetworkInterface.all().filter { $0.isRunning && !$0.isLoopback && !$0.addresses.isEmpty }
    if networks.isEmpty {
      if needed {
        try problem(
          .network,
          Diagnostic(
            .noNetwork, "this device has peers, but no network connection",
            hint: "connect the device; 'ip addr' lists networks"
          )
        )
      }
      return
    }
    let names = networks.filter(\.hasMulticast).map(\.name)
    try look(.network) {
      _ = try DiscoveryRun(interfaces: [])
      if !names.isEmpty { return "peers can be found on \(names.joined(separator: ", "))" }
      throw Diagnostic(
        .noNetwork, "the networks of this device do not support multicast, so peers cannot be found by name",
        hint: "name the address of a peer: peersync run --address HOST:PORT PEER")
    }
  }

  /// Reports that the lists of peers and remotes are empty, although this device has synced before.
  ///
  /// If a user forgets a peer or removes a remote, its notes are removed too. So any remaining notes show
  /// that the lists are lost.
  private func lookAtLostLists() throws -> Bool {
    try problem(
      .peers,
      Diagnostic(
        .unknownPeer,
        "the lists of peers and remotes are empty, but transfers.jsonl names \(transfers.count)",
        hint: "restore trust.jsonl and remotes.jsonl from a backup, or begin again: 'peersync pair' on both "
          + "devices, or 'peersync remote add'"))
    return false
  }

  /// Whether changes must be sent to a server whose key is read-only.
  private func cannotSend(_ report: SessionReport) throws -> Bool {
    let path = settings.store.path
    guard report.onlyGives, !FileMode.isMissingOrEmpty(path) else { return false }
    let store = try ChangeStore(path, creating: false, wait: settings.store.wait, onlyRead: true)
    let peer = try store.knownPeer(orNil: report.peer.peerId)
    return try store.pending(for: peer, held: report.held, givingBack: report.givesBack) > 0
  }

  /// Requests the state of peers and remotes without changing it.
  ///
  /// Returns whether a peer has answered.
  func ask(_ records: [TrustRecord], _ remotes: [RemoteRecord]) throws -> Bool {
    if records.isEmpty, remotes.isEmpty {
      guard transfers.isEmpty else { return try lookAtLostLists() }
      try note(
        .peers, "this device does not have peers or remotes yet",
        hint:
          "'peersync pair' on both devices, or 'peersync remote add' for a folder, a server or a collection")
      return false
    }
    var reports: [SessionReport] = []
    try look(.peers) {
      reports = try PeersyncTool.check(records, remotes, settings, console, telling: false).reports
      return nil
    }
    for report in reports {
      let part: Part = remotes.contains { $0.isAt(report.peer.deviceName) } ? .remotes : .peers
      let name = report.name
      if report.trouble?.code == .peerNotFound,
        let last = records.first(where: { $0.peerId == report.peer.peerId })?.lastSuccessfulSyncAt
      {
        try note(
          .peers, "\(name) does not answer; its last sync with this device was at \(last)",
          hint: "to reach it from here, run 'peersync serve' there")
      } else if var trouble = report.trouble {
        if trouble.file == report.peer.deviceName {
          trouble.file = report.peer.deviceName + report.distinction
        } else {
          trouble.message = "\(name): \(trouble.message)"
        }
        if part == .peers, [.peerNotFound, .cannotConnect].contains(trouble.code) {
          trouble.hint =
            "run 'peersync serve' there, or name its address: peersync run --address HOST:PORT PEER"
        }
        try problem(part, trouble)
      } else if try cannotSend(report) {
        var refusal = Diagnostic.readOnlyKey()
        refusal.message = "\(name): changes cannot be sent; \(refusal.message)"
        try problem(part, refusal)
      } else {
        try answered(part, name, report)
      }
      if let ahead = report.clockAhead, abs(ahead) >= SessionReport.notableClock {
        try problem(
          .clock,
          Diagnostic(
            .clocksDiffer, "the clock of \(name) is \(SessionReport.said(ahead))",
            hint:
              "set both clocks from the network (timedatectl set-ntp true): they decide which change is later"
          ))
      }
    }
    let silent: [ErrorCode] = [
      .peerNotFound, .cannotConnect, .remoteUnreachable, .connectionLost, .timedOut,
    ]
    return reports.contains { report in report.trouble.map { !silent.contains($0.code) } ?? true }
  }
}
