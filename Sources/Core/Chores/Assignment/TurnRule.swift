/// The rule for the next turn.
package enum TurnRule: String, CaseIterable, Sendable {
  case alternate, rotate
  case leastDone = "least-done"
  case fixed
}

extension TurnRule {
  /// The present member who has the turn; nil if all members are absent.
  @inline(__always)
  func choice(_ book: TurnBook, _ order: TurnOrder, _ attendance: Attendance) -> Int? {
    guard attendance.count > 0 else { return nil }
    return switch self {
    case .alternate:
      lowest(order, attendance, except: attendance.count > 1 ? book.last : nil) {
        ($0, book.levels[$0], book.turns[$0])
      }
    case .leastDone: lowest(order, attendance, except: nil) { ($0, book.turns[$0], 0) }
    case .rotate: next(after: book.last, order, attendance)
    case .fixed: order.listed.first { attendance.isPresent[$0] }
    }
  }

  @inline(__always)
  private func lowest(
    _ order: TurnOrder, _ attendance: Attendance, except last: Int?,
    _ standing: (Int) -> (member: Int, level: Int, turns: Int)
  ) -> Int? {
    var best: (member: Int, level: Int, turns: Int)?
    for member in order.members where attendance.isPresent[member] && member != last {
      let own = standing(member)
      if let best, (best.level, best.turns) <= (own.level, own.turns) { continue }
      best = own
    }
    return best?.member
  }

  /// The next present member in the order; `last` may be a member who no longer takes part.
  private func next(after last: Int?, _ order: TurnOrder, _ attendance: Attendance) -> Int? {
    let members = order.members
    var start = 0
    if let last {
      let next = members.filter { $0 > last }.min() ?? members.min()
      start = members.firstIndex { $0 == next } ?? 0
    }
    return (members[start...] + members[..<start]).first { attendance.isPresent[$0] }
  }
}
