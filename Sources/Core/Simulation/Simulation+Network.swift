import JSONLines
import SyncCore

/// The transport of the messages: connections over a network that delays, loses, repeats and reorders
/// packets.
extension Simulation {
  /// The times, in milliseconds, after which an unanswered packet is sent again; then the connection is lost.
  private static var patience: [Int] { [0, 200, 600, 1_400, 3_000, 6_200, 12_600] }

  mutating func send(_ message: Message, _ session: Int, _ side: Int) throws(SimulationFailure) {
    counts[.messages] += 1
    sessions[session].messages += 1
    if sessions[session].messages > 2_000 {
      throw SimulationFailure(.endless, "a session has had 2,000 messages")
    }
    if let log, let text = try? JSONValue(parsing: message.line.span) {
      log([
        "session": .integer(session), "from": .integer(sessions[session].sides[side].device), "message": text,
      ])
    }
    if let cut = sessions[session].plan.cut, sessions[session].messages > cut,
      !sessions[session].isByRequests
    {
      cutOff(session)
    }
    sendPacket(message.line, session, side)
  }

  /// Sends a packet; nil means the end of the connection.
  mutating func sendPacket(_ line: [UInt8]?, _ session: Int, _ side: Int) {
    let number = sessions[session].sides[side].sent
    sessions[session].sides[side].sent += 1
    guard !sessions[session].isCut else { return }
    if sessions[session].isByRequests {
      return queue.add(.packet(session: session, side: 1 - side, number: number, line), at: time)
    }
    let (from, to) = (sessions[session].sides[side].device, sessions[session].sides[1 - side].device)
    let network = sessions[session].plan.network
    for wait in Self.patience {
      if isApart(from, to, at: time + wait) || sessions[session].chance(network.loss) {
        counts[.lostPackets] += 1
        continue
      }
      let arrival = time + wait + 1 + sessions[session].draw(0..<max(1, network.delay))
      queue.add(.packet(session: session, side: 1 - side, number: number, line), at: arrival)
      guard sessions[session].chance(network.repeats) else { return }
      let again = arrival + sessions[session].draw(0..<5_000)
      return queue.add(.packet(session: session, side: 1 - side, number: number, line), at: again)
    }
    cutOff(session)
  }

  /// Breaks the connection; each side notices it soon, or after a time-out.
  private mutating func cutOff(_ session: Int) {
    guard !sessions[session].isCut else { return }
    counts[.cuts] += 1
    sessions[session].isCut = true
    for side in 0..<2 where sessions[session].chance(50) {
      let seen = sessions[session].draw(1..<15_000)
      queue.add(.broken(session: session, side: side), at: time + seen)
    }
  }

  // MARK: Requests to a server

  /// Whether a request, or its answer, is lost.
  mutating func losesRequest(_ session: Int, _ side: Int) -> Bool {
    let now = sessions[session]
    guard now.isByRequests, side == 1 else { return false }
    if let cut = now.plan.cut, now.sides[1].transactions > cut { return true }
    return isApart(now.plan.from, now.plan.to, at: time)
      || sessions[session].chance(now.plan.network.loss / 4)
  }

  /// Ends the session, as the device gives up; stored data stays.
  mutating func lose(_ session: Int) {
    counts[.cuts] += 1
    sessions[session].isCut = true
    for side in 0..<2 { sessions[session].sides[side].isGone = true }
  }

  mutating func arrive(_ session: Int, _ side: Int, _ number: Int, _ line: [UInt8]?) {
    guard !sessions[session].sides[side].isGone else {
      // Closing on both ends at the same time does not count.
      if line != nil { counts[.latePackets] += 1 }
      return
    }
    let expected = sessions[session].sides[side].expected
    guard number >= expected, sessions[session].sides[side].early[number] == nil else {
      return counts[.repeatedPackets] += 1
    }
    if number > expected { counts[.reorderedPackets] += 1 }
    sessions[session].sides[side].early[number] = .some(line)
    while let next = sessions[session].sides[side].early.removeValue(
      forKey: sessions[session].sides[side].expected)
    {
      sessions[session].sides[side].inbox.append(next)
      sessions[session].sides[side].expected += 1
    }
    queue.add(.inbox(session: session, side: side), at: time)
  }

  /// Whether a partition separates two devices.
  func isApart(_ first: Int, _ second: Int, at time: Int) -> Bool {
    story.steps.contains { step in
      guard case .partition(let devices, let lasting) = step.action else { return false }
      return step.at <= time && time < step.at + lasting
        && devices.contains(first) != devices.contains(second)
    }
  }

  // MARK: Crashes

  /// Returns the device to its committed state; all its sessions are lost.
  mutating func crash(_ device: Int, down: Int) throws(SimulationFailure) {
    guard !isAway(device) else { return }
    counts[.crashes] += 1
    note("crashes", device: device)
    devices[device].downUntil = time + down
    for session in openSessions where !sessions[session].isOver {
      for side in 0..<2 where sessions[session].sides[side].device == device {
        sessions[session].sides[side].isGone = true
        sessions[session].isCut = true
        // The device's system sends a reset after the restart, or does not answer.
        if sessions[session].chance(60) {
          let seen = sessions[session].draw(1..<20_000)
          queue.add(.broken(session: session, side: 1 - side), at: time + seen)
        }
      }
    }
  }
}
