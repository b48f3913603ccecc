import SystemIO

extension Responder {
  /// Handles a response of another host; returns which of our names is taken or disputed.
  mutating func receive(response: DNSMessage, isMulticast: Bool, at now: Duration) -> Conflict? {
    // Unrequested answers are ignored, so that forged answers cannot make us change names without a pause.
    if phase == .probing(sent: 0) { return nil }
    for record in response.answers + response.additionals {
      if let own = records.all.first(where: { $0.isSame(as: record) }) {
        hear(own, withLife: record.ttl, isMulticast: isMulticast, at: now)
      } else if record.ttl > 0, isConflicting(record) {
        return record.name == records.instance ? .instance : .host
      }
    }
    return nil
  }

  /// Whether a record has other data under our name: of any type while we probe, afterwards of a type that we
  /// have (§8.1, §9).
  private func isConflicting(_ record: ResourceRecord) -> Bool {
    guard record.name == records.instance || record.name == records.host, record.type != .nsec else {
      return false
    }
    return isProbing || records.unique.contains { $0.isInSet(of: record) }
  }

  /// Handles our own record from another host, which replaces our answer (§7.4) or needs a correction (§6.6).
  ///
  /// Only an answer to the group replaces ours, because other hosts do not receive a unicast answer.
  private mutating func hear(
    _ own: ResourceRecord, withLife ttl: UInt32, isMulticast: Bool, at now: Duration
  ) {
    guard !isProbing else { return }
    if ttl >= own.ttl {
      if isMulticast { pending.removeAll { $0.querier == nil && $0.record == own } }
    } else if ttl < own.ttl / 2, !pending.contains(where: { $0.querier == nil && $0.record == own }) {
      let earliest = lastSent[own].map { $0 + .seconds(1) } ?? now
      pending.append(Pending(record: own, due: max(now, earliest), querier: nil))
    }
  }

  /// If two hosts probe for a name at the same time, the host with the later data wins.
  ///
  /// The other host waits a second and probes again; then the winner answers (§8.2).
  mutating func settle(probe: DNSMessage, at now: Duration) {
    for name in [records.instance, records.host] where probe.questions.contains(where: { $0.name == name }) {
      let theirs = probe.authorities.filter { $0.name == name }
      let ours = records.unique.filter { $0.name == name }
      guard !theirs.isEmpty, Self.comesLater(theirs, than: ours) else { continue }
      probeAgain(at: now, wait: .seconds(1))
      return
    }
  }

  /// Compares record by record in order of class, type and data; if one list begins with the other, the
  /// longer list is later (§8.2.1).
  static func comesLater(_ a: [ResourceRecord], than b: [ResourceRecord]) -> Bool {
    let keys = { (records: [ResourceRecord]) in
      records.map {
        [
          UInt8($0.recordClass >> 8), UInt8($0.recordClass & 0xFF), UInt8($0.type.rawValue >> 8),
          UInt8($0.type.rawValue & 0xFF),
        ] + $0.plainData
      }
      .sorted { $0.lexicographicallyPrecedes($1) }
    }
    return keys(b).lexicographicallyPrecedes(keys(a)) { $0.lexicographicallyPrecedes($1) }
  }
}

/// The alternative names that are tried in order if the first name is taken.
enum InstanceName {
  /// `Kitchen (2)` after `Kitchen`, `Kitchen (3)` after that (RFC 6762 §9), cut to the length of a label.
  static func next(after name: String) -> String {
    let (base, number) = parts(name)
    let suffix = " (\(number + 1))"
    return base.cut(toBytes: 63 - suffix.utf8.count) + suffix
  }

  private static func parts(_ name: String) -> (base: Substring, number: Int) {
    guard name.hasSuffix(")"), let opening = name.range(of: " ("), opening.upperBound < name.endIndex else {
      return (name[...], 1)
    }
    let digits = name[opening.upperBound...].dropLast()
    guard let number = Int(digits), number > 1, number < 1_000_000, String(number) == digits else {
      return (name[...], 1)
    }
    return (name[..<opening.lowerBound], number)
  }
}

extension String {
  /// The last occurrence of `other`.
  fileprivate func range(of other: String) -> Range<Index>? { ranges(of: other).last }
}
