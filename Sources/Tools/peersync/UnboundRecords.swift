import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO

/// Records of entities without a file or table on this device, although other entities have one.
struct UnboundRecords {
  /// The sequence up to which received records have been reported.
  private var last: Int64
  /// The entities that were reported; on some devices they are not bound on purpose.
  private var told: Set<String> = []

  init(in store: ChangeStore) throws { last = try store.currentToken().sequence }

  /// Reports records that were received since the last call; each entity is reported once.
  mutating func tell(_ store: ChangeStore, _ bindings: [Binding], on console: Console) throws {
    let (before, now) = (last, try store.currentToken().sequence)
    last = now
    guard now > before else { return }
    let unbound = try Self.entities(of: store, without: bindings).filter { !told.contains($0) }
    if unbound.isEmpty { return }
    let arrived = try store.arrivedCounts(after: before)
    let counts = unbound.map { ($0, arrived[$0] ?? 0) }
    guard let (text, hint) = Self.text(of: counts, store.path) else { return }
    told.formUnion(counts.filter { $0.1 > 0 }.map(\.0))
    console.note("received without a bound file or table: \(text)", hint: hint)
  }

  /// The sentence about all unbound records, and its hint; nil if all records are bound.
  static func found(_ store: ChangeStore, _ bindings: [Binding]) throws -> (sentence: String, hint: String)? {
    let others = try entities(of: store, without: bindings)
    guard !others.isEmpty else { return nil }
    var counts: [String: Int] = [:]
    try store.forEachState(for: nil, Differences()) { key, _, isDeleted in
      if !isDeleted { counts[Key.entity(of: key), default: 0] += 1 }
    }
    return text(of: others.map { ($0, counts[$0] ?? 0) }, store.path).map { text, hint in
      ("in the store without a bound file or table: \(text)", hint)
    }
  }

  private static func entities(of store: ChangeStore, without bindings: [Binding]) throws -> [String] {
    let bound = Set(bindings.map(\.entity))
    return bound.isEmpty ? [] : try store.entities(upTo: most).filter { !$0.isEmpty && !bound.contains($0) }
  }

  /// The counts above 0 as text, and a hint; nil if all are 0.
  private static func text(
    of counts: [(entity: String, count: Int)], _ store: String
  ) -> (text: String, hint: String)? {
    let found = counts.filter { $0.count > 0 }
    guard let first = found.first else { return nil }
    let texts = found.map {
      "\($0.count) \($0.count == 1 ? "record" : "records") of '\($0.entity.escapingControls)'"
    }
    let command = Diagnostic.command(
      "peersync bind --entity-name \(ShellWord.posix(first.entity))", store: store)
    return (
      texts.joined(separator: ", "),
      "'\(command.escapingControls) SOURCE' binds a file or table to \(found.count == 1 ? "them" : "the first of them")"
    )
  }

  private static let most = 100
}
