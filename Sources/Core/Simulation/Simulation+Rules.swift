import JSONLines
import SyncCore

/// Checks the merge rules of each store, and that stores with different rules do not exchange changes.
extension Simulation {
  /// The rules that the two stores of a session have exchanged, by side.
  func sharedRules(_ session: Int, _ side: Int) -> SharedRules? {
    sessions[session].sides[side].dialogue.settings.shared
  }

  mutating func setRules(_ device: Int, _ choice: RuleChoice) throws(SimulationFailure) {
    let before = try mergeRules(device)
    try use(device) { store throws(Store.Failure) in try store.setRules(choice) }
    guard try mergeRules(device) != before else { return }
    counts[.changedRules] += 1
    devices[device].hasChangedRules = true
    note("merges by other rules", device: device)
    // A record that lost under the former rules is already lost, even if it would win under the new rules.
    let waiting = try use(device) { store throws(Store.Failure) in try store.waitingLines() }
    devices[device].known.formIntersection(try lines(device) + waiting)
    tellFollowers(of: device)
  }

  /// The store's rules as canonical JSON; nil if the store does not have rules yet.
  mutating func mergeRules(_ device: Int) throws(SimulationFailure) -> [UInt8]? {
    try use(device) { store throws(Store.Failure) in try store.sharedRules() }?.mergeRules
  }

  /// Sets the rules at the end of the story on all devices, one after the other.
  mutating func agreeOnRules() throws(SimulationFailure) {
    for device in devices.indices {
      guard let own = try mergeRules(device), own != mergeRules else { continue }
      for other in neighbours(of: device) {
        guard let theirs = try mergeRules(other), theirs != own else { continue }
        try meetInVain(device, other)
        break
      }
      try setRules(device, RuleChoice(shape, hasProfile: true, entityName: nil))
    }
  }

  func neighbours(of device: Int) -> [Int] {
    story.links.pairs(story.devices).compactMap { pair in
      pair.0 == device ? pair.1 : pair.1 == device ? pair.0 : nil
    }
  }

  /// Runs a session over a good network, which both sides must refuse because of their rules.
  private mutating func meetInVain(_ device: Int, _ other: Int) throws(SimulationFailure) {
    let session = sessions.count
    try connect(SessionPlan(from: device, to: other))
    try runQueue()
    counts[.refusedRules] += 1
    for side in sessions[session].sides {
      switch side.end {
      case .differs(let difference) where difference.code == .rulesDiffer: break
      case .peerError(let error) where error.known == .rulesDiffer: break
      default:
        let end = side.end.map { "\($0)" } ?? "nothing"
        throw SimulationFailure(.rulesIgnored, "\(devices[side.device].id) ends with \(end)")
      }
    }
  }

  // MARK: Pages

  /// Checks, when a page is sent, that the rules that both sides have exchanged are the same.
  func checkRules(_ session: Int, givenBy side: Int) throws(SimulationFailure) {
    guard let own = sharedRules(session, side), let theirs = sharedRules(session, 1 - side) else { return }
    if own.mergeRules != theirs.mergeRules { throw rulesIgnored(session, side) }
  }

  /// Checks that changes are applied only by a side that merges by the same rules as their source.
  mutating func checkRules(_ session: Int, appliedBy side: Int) throws(SimulationFailure) {
    guard sharedRules(session, side) == nil, let theirs = sharedRules(session, 1 - side) else { return }
    let own = try mergeRules(sessions[session].sides[side].device)
    if own != theirs.mergeRules { throw rulesIgnored(session, 1 - side) }
  }

  private func rulesIgnored(_ session: Int, _ side: Int) -> SimulationFailure {
    let (giver, taker) = (sessions[session].sides[side].device, sessions[session].sides[1 - side].device)
    return SimulationFailure(
      .rulesIgnored, "\(devices[giver].id) sends changes to \(devices[taker].id), which merges by other rules"
    )
  }
}
