import Store
import SyncCore

/// Decides when the chain of a device starts again, and when its old files are removed.
extension FolderRemote {
  /// Whether the chain has more than twice as many lines as a new start would have.
  ///
  /// An incomplete start is finished first.
  func isDue() throws -> Bool {
    guard let last, !last.page.hasMore else { return false }
    return try last.page.total > 2 * store.read { store.live + store.tombstones } + Self.slack
  }

  /// Extra lines, so that the chain of a small store does not start again too often.
  private static let slack = 100

  /// Removes the files before the last complete start, once all readers have read them.
  ///
  /// A device whose folder or note cannot be read may not have read them.
  mutating func removeOld() throws {
    guard let last, !last.page.hasMore else { return }
    let old = try (folder.chains()[own] ?? []).filter { $0 < last.page.start }
    guard !old.isEmpty else { return }
    let (readers, errors) = try folder.readers(but: own)
    unreadable.merge(errors) { $1 }
    guard errors.isEmpty else { return }
    let recent = now().advanced(by: .zero - Self.silence)
    for reader in readers where reader.at > recent {
      guard let places = reader.places else { return }
      if let place = places.chains[own], place.number < last.page.start - 1 { return }
    }
    for number in old { folder.remove(own, number) }
  }

  /// The time after which files are no longer kept for a silent device.
  static let silence = Duration.seconds(90 * 86_400)
}
