import JSONLines
import Store
import SyncCore

/// Records of entities without a file or table on this device, although other entities have one.
enum UnboundRecords {
  static let hint = "'peersync bind' binds a file or table to them"

  /// The sentence about such records; nil if there are none.
  static func sentence(_ store: ChangeStore, _ bindings: [Binding]) throws -> String? {
    let bound = Set(bindings.map(\.entity))
    let others = try store.entities(upTo: most).filter { !$0.isEmpty && !bound.contains($0) }
    guard !bound.isEmpty, !others.isEmpty else { return nil }
    var counts: [String: Int] = [:]
    try store.forEachState(for: nil, Differences()) { key, _, isDeleted in
      if !isDeleted { counts[Key.entity(of: key), default: 0] += 1 }
    }
    let texts = others.compactMap { entity in
      counts[entity].map { "\($0) \($0 == 1 ? "record" : "records") of '\(entity.escapingControls)'" }
    }
    guard !texts.isEmpty else { return nil }
    let isOne = others.reduce(0) { $0 + (counts[$1] ?? 0) } == 1
    return
      "\(texts.joined(separator: ", ")) \(isOne ? "is" : "are") in the store, but no file or table here is "
      + "bound to \(isOne ? "it" : "them")"
  }

  private static let most = 100
}
