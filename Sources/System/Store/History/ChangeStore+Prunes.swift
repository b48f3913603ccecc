import SyncCore

extension ChangeStore {
  func prunes() throws(StoreError) -> Prunes {
    var prunes = Prunes()
    let rows = try database.statement("SELECT entity, before FROM prunes")
    while try rows.step() {
      if let before = Instant(rows.text(1)) { prunes.add(rows.text(0), before: before) }
    }
    return prunes
  }
}
