import Testing

/// The values that the rules read, without any spelling: a point of a small universe.
///
/// Moments are minutes of one day; nil means none.
struct RuleCase: Equatable {
  enum Rule: String, CaseIterable, CustomTestStringConvertible {
    case lww, terminal
    case appendOnly = "append-only"
    var testDescription: String { rawValue }
  }

  var isTombstone = false
  var clock: Int?
  var status: String?
  var completedAt: Int?
  var dueDate: Int?
  var version: Int?

  /// A plain record, in which a tombstone need not have a clock.
  var record: String {
    var members = [#""entity":"Item","id":"1""#]
    if isTombstone { members.append(#""gone":true"#) }
    if let clock { members.append(#""updatedAt":"\#(Self.time(clock))""#) }
    return "{" + (members + ownMembers).joined(separator: ",") + "}"
  }

  /// A change line with the rule's members in `fields`; nil if only a plain record can express the case.
  var change: String? {
    if isTombstone, clock == nil { return nil }
    var members = [#""entityName":"Item","identity":{"id":"1"}"#]
    if let clock { members.append(#""\#(isTombstone ? "deletedAt" : "modifiedAt")":"\#(Self.time(clock))""#) }
    if let version { members.append(#""version":\#(version)"#) }
    var fields = self
    fields.version = nil
    members.append(#""fields":{\#(fields.ownMembers.joined(separator: ","))}"#)
    return "{" + members.joined(separator: ",") + "}"
  }

  private var ownMembers: [String] {
    [
      status.map { #""status":"\#($0)""# }, completedAt.map { #""completedAt":"\#(Self.time($0))""# },
      dueDate.map { #""dueDate":"\#(Self.time($0))""# }, version.map { #""version":\#($0)"# },
    ].compactMap(\.self)
  }

  static func time(_ minute: Int) -> String { "2025-05-02T10:0\(minute):00Z" }

  /// A profile in which `Item` has the rule.
  static func profile(_ rule: Rule) -> String {
    #"{"entities":{"Item":{"tombstone":"/gone","rule":"\#(rule.rawValue)"}}}"#
  }
}

extension RuleCase {
  /// The order of the design, as numbers that are compared one after the other; the larger list wins.
  ///
  /// Canonical content and bytes come after these.
  func rank(_ rule: Rule) -> [Int] {
    let version = version ?? -1
    switch rule {
    case .lww: return [Self.later(clock), isTombstone ? 1 : 0, version]
    case .appendOnly: return [isTombstone ? 0 : 1, Self.earlier(clock), version]
    case .terminal:
      guard !isTombstone, let state = ["skipped", "completed"].firstIndex(of: status) else {
        return [0, Self.later(clock), isTombstone ? 1 : 0, Self.later(dueDate), version]
      }
      return [1, Self.earlier(completedAt ?? clock), state, Self.earlier(clock), version]
    }
  }

  private static func later(_ minute: Int?) -> Int { minute ?? -1 }

  private static func earlier(_ minute: Int?) -> Int { minute.map { -$0 } ?? -100 }
}

extension RuleCase {
  /// Every combination that can matter for the rule.
  static func universe(_ rule: Rule) -> [RuleCase] {
    let isTerminal = rule == .terminal
    var cases: [RuleCase] = []
    for isTombstone in [false, true] {
      for clock in [nil, 1, 2] {
        for version in [nil, 1] {
          for status in isTerminal
            ? [nil, "pending", "completed", "skipped", "unknown"] : [nil, "completed"]
          {
            for completedAt in isTerminal ? [nil, 1, 2] : [nil, 1] {
              for dueDate in [nil, 1] {
                cases.append(
                  RuleCase(
                    isTombstone: isTombstone, clock: clock, status: status, completedAt: completedAt,
                    dueDate: dueDate, version: version))
              }
            }
          }
        }
      }
    }
    return cases
  }
}
