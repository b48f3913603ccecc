package import SyncCore

extension DeleteLimit {
  /// Throws `tooManyDeletions`; `live` is how many records there were before.
  package func check(_ deletions: Int, of live: Int) throws(StoreError) {
    guard allows(deletions, of: live) else { throw .tooManyDeletions(count: deletions, live: live) }
  }
}
