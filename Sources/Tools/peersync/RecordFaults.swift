import JSONLines

/// The faults of single records in bound files and tables: each is reported once, and only some of a kind.
struct RecordFaults {
  /// The maximum number of reports of one source with the same reason at a time.
  private static let most = 3
  /// The reported messages of each entity that are still true.
  private var told: [String: Set<String>] = [:]
  /// The first current fault of each entity, other than a conflict.
  private(set) var first: [String: Diagnostic] = [:]

  /// Returns the new reports; `faults` are all current faults in the source of an entity.
  mutating func reports(_ faults: [Diagnostic], of entity: String) -> [Diagnostic] {
    let before = told[entity] ?? []
    told[entity] = Set(faults.map(\.message))
    first[entity] = faults.first { $0.code != .conflict }
    var (kinds, places) = ([(reason: Substring, faults: [Diagnostic])](), [Substring: Int]())
    for fault in faults where !before.contains(fault.message) {
      let reason = Self.reason(in: fault.message)
      let place = places[reason] ?? kinds.count
      if place == kinds.count { kinds.append((reason, [])) }
      places[reason] = place
      kinds[place].faults.append(fault)
    }
    return kinds.flatMap { Self.shortened($0.faults, $0.reason) }
  }

  private static func shortened(_ faults: [Diagnostic], _ reason: Substring) -> [Diagnostic] {
    guard faults.count > most, var rest = faults.last else { return faults }
    rest.message = "… and \(faults.count - most) more: \(reason)"
    rest.hint = nil
    return faults.prefix(most) + [rest]
  }

  /// The part of a message after the key, without the values of a row that is missing.
  ///
  /// The key is an array; a long key is cut off with `…`.
  private static func reason(in message: String) -> Substring {
    let end = message.firstRange(of: "}]: ") ?? message.firstRange(of: "…: ")
    let reason = end.map { message[$0.upperBound...] } ?? message[...]
    return reason.firstRange(of: " has no row {").map { reason[..<$0.lowerBound] + " lacks rows" } ?? reason
  }
}
