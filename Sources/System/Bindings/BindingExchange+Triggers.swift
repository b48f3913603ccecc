import JSONLines
package import Store
import Tables

/// Triggers that fire twice for one edit: on the device of the edit, and where its row is received.
extension BindingExchange {
  /// The warnings about triggers of this table that write to bound tables of the same database.
  ///
  /// `others` are the other bindings. With `ofOthers`, the result also names the triggers of their tables that write to
  /// this table.
  package func repeatedTriggers(besides others: [Binding], ofOthers: Bool) throws -> [String] {
    guard let table = source as? BoundTable else { return [] }
    let tables = others.filter { $0.entity != binding.entity && $0.hasSameFile(as: binding) }
      .compactMap(\.table)
    return try table.triggerWrites().compactMap { write in
      let isOwn = TriggerWrite.isSame(write.table, table.name)
      let writesOwn = TriggerWrite.isSame(write.target, table.name)
      let trigger = "trigger '\(write.trigger)' of '\(write.table)'".escapingControls
      if isOwn, writesOwn {
        // A trigger that sets a column of the written row, such as the time of its edit, is harmless.
        return write.adds
          ? "\(trigger) adds rows to its own table: rows received from other devices fire it again" : nil
      }
      let isBound = { (name: String) in tables.contains { TriggerWrite.isSame(name, $0) } }
      guard isOwn && isBound(write.target) || ofOthers && writesOwn && isBound(write.table) else {
        return nil
      }
      return
        "\(trigger) writes to '\(write.target.escapingControls)', which is bound too: rows received from other devices "
        + "fire it again"
    }
  }

  package static let triggerRemedy =
    "bind only one of the tables, or let the trigger compute its value from all rows, so that it can safely run twice"
}
