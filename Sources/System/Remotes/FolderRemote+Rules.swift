import JSONLines
import Store
import SyncCore

extension FolderRemote {
  /// Writes a file without lines if the rules of the store differ from those in the last file of its chain.
  ///
  /// Other devices compare the rules of that file, and devices with other rules do not write more lines. So
  /// without this file, rules could not change on all devices.
  mutating func announceRules() throws {
    // A chain that has lost its last file first needs the changes of that file.
    guard mayWrite, rolledBack == nil, let last, let shape = try store.rules(),
      let rules = last.page.rules, let before = try? RecordShape(rules: rules.span),
      !shape.hasSameRules(as: before)
    else { return }
    var file = FolderPage(
      lines: [], token: last.page.token, number: last.page.number + 1, start: last.page.start,
      previous: last.digest, total: last.page.total)
    (file.hasMore, file.rules) = (last.page.hasMore, shape.rules)
    try write(file)
  }

  /// The rules of another device in the folder, if they differ from the merge rules of `shape`.
  func otherRules(than shape: RecordShape) throws -> RecordShape? {
    try otherRules().first { $0.mergeRules != shape.mergeRules }
  }

  /// Throws unless all devices in the folder have the same merge rules, which a store without rules can then
  /// adopt.
  func requireOneRules() throws {
    guard let first = try otherRules().first, try otherRules(than: first) != nil else { return }
    throw Diagnostic(
      .rulesDiffer, "the devices of the shared folder merge by different rules",
      hint: "set the same rules on all of them: synclog rules set; then run peersync there")
  }

  /// The rules that a store without rules adopts; silent devices count only if all have long been silent.
  func adoptedRules() throws -> RecordShape? {
    try otherRules().first ?? otherRules(countingSilent: true).first
  }

  /// The rules of the other devices in the folder, in the order of their chains.
  ///
  /// Skips chains that their writers have abandoned and, unless `countingSilent`, those of long silent
  /// devices.
  private func otherRules(countingSilent: Bool = false) throws -> [RecordShape] {
    let chains = try folder.chains()
    let recent = now().advanced(by: .zero - Self.silence)
    return try chains.sorted { $0.key < $1.key }.compactMap { chain, numbers in
      let isAbandoned =
        (chain.device, chain.store) == (own.device, own.store) && abandoned.contains(chain.mark)
      if chain == own || isAbandoned || chains.keys.contains(where: { isReplaced(chain, by: $0, chains) }) {
        return nil
      }
      if !countingSilent, let seen = try folder.seen(by: chain), seen.at < recent { return nil }
      return try lastComplete(chain, numbers)?.rules.flatMap { try? RecordShape(rules: $0.span) }
    }
  }

  /// The last complete file of a chain, nil without one; later files may not have arrived completely.
  private func lastComplete(_ chain: ChainName, _ numbers: [Int]) throws -> FolderPage? {
    for number in numbers.reversed() {
      if let file = try folder.read(chain, number) { return file.page }
    }
    return nil
  }
}
