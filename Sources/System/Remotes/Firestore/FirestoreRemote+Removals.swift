import JSONLines
import Store
import SyncCore

extension FirestoreRemote {
  /// The notes of other stores about the removal of these documents, by their ids.
  mutating func removals(of ids: [String]) throws -> RemovalNotes {
    var notes = RemovalNotes()
    guard !ids.isEmpty, settings.deletedField == nil else { return notes }
    for document in try client.beside(ids.map { Removal.id(of: $0) }).values {
      notes.versions[DocumentID(document.id)] = document.updated
      if let removal = form.removal(document) { notes.readable[DocumentID(removal.id)] = removal }
    }
    return notes
  }

  /// The known removal of a missing document.
  func removed(_ id: String) throws -> RemovedDocument? {
    if let removal = removals[DocumentID(id)] {
      return RemovedDocument(
        updated: Instant(removal.updated) ?? .epoch, gone: removal.change.clock ?? .epoch)
    }
    return try peer().flatMap { try store.removedDocument(id, of: $0) }
  }

  /// Appends a deletion noted by another store, unless it is known.
  mutating func add(_ removal: Removal, to lines: inout [UInt8]) throws {
    if let known = try known(removal.id) {
      guard removal.isNews(about: known) else { return }
      _ = try superseded(known)
    } else if let time = Instant(removal.updated),
      try removed(removal.id).map({ time <= $0.updated }) ?? false
    {
      return
    }
    read[DocumentID(removal.id)] = .some(nil)
    removals[DocumentID(removal.id)] = removal
    lines += removal.change.line + [10]
  }

  /// Compares names with the remembered documents; true at the end.
  mutating func sweep(_ place: inout FirestorePlace, into lines: inout [UInt8]) throws -> Bool {
    var query = FirestoreClient.Query(after: after(place), limit: Self.namesAtOnce)
    query.isOfNames = true
    let answer = try client.documents(query)
    let start = place.after ?? ""
    let end = answer.isLast ? nil : answer.found.last?.id
    var there: [DocumentID: String] = [:]
    for document in answer.found { there[DocumentID(document.id)] = document.updated }
    let remembered = try peer().map { try store.documents(of: $0, after: start, through: end) } ?? []
    let missing = remembered.filter { document in
      if case .some(nil) = read[DocumentID(document.id)] { return false }
      return there[DocumentID(document.id)] == nil
    }
    // A document missing from a list is looked up by its name before it counts as removed.
    let present = try client.documents(missing.map(\.id))
    let removals = try removals(of: missing.map(\.id).filter { present[DocumentID($0)] == nil })
    func noted(_ document: KnownDocument) -> Removal? {
      removals[document.id].flatMap { $0.isNews(about: document) ? $0 : nil }
    }
    if answer.found.isEmpty, place.after == nil, present.isEmpty {
      try checkEmptied(missing.count { noted($0) == nil })
    }
    for document in missing {
      if let found = present[DocumentID(document.id)] {
        try add(found, to: &lines)
      } else if let removal = noted(document) {
        try add(removal, to: &lines)
      } else {
        try remove(document, place, into: &lines)
      }
    }
    let changed = try answer.found.filter { try known($0.id)?.updated != $0.updated }
    try read(changed.map(\.id), into: &lines)
    if answer.isLast {
      place.swept = place.began
      place = place.finished
      return true
    }
    place.after = end
    return false
  }

  /// Refuses a collection that was emptied, for example manually in a console.
  ///
  /// In such a collection many documents are missing without a note from a store.
  private func checkEmptied(_ count: Int) throws {
    guard deleteLimit == .default, count > 1 else { return }
    throw Diagnostic(
      .tooManyDeletions, "the collection is empty, but had \(count) documents",
      hint:
        "use '--max-delete off' to delete them here too; to write them there again: peersync remote remove "
        + "\(client.path.word), and add it as before")
  }

  /// Appends the deletion of a document that another program removed.
  ///
  /// Its clock is just after that of the record.
  ///
  /// The time of the removal is unknown. The first store that detects the removal notes the deletion for
  /// other stores. A record that has been changed in this store since then is not deleted, and is written to
  /// the collection again.
  private mutating func remove(
    _ document: KnownDocument, _ place: FirestorePlace, into lines: inout [UInt8]
  ) throws {
    _ = try superseded(document)
    read[DocumentID(document.id)] = .some(nil)
    guard !document.key.isEmpty, let peer = try peer() else { return }
    let time = place.began.flatMap { Instant($0) } ?? now()
    let held = try store.recordHeld(by: peer, document.key)
    if try isElsewhere(document.key, than: document.id) {
      // The other document may have an earlier version.
      if let held { unstamped.append((document.key, form.clock(ofLine: held))) }
      return
    }
    guard
      let change = try held.map({ try form.deletion(of: $0, at: time) })
        ?? form.deletion(of: document, at: time)?.asChange
    else { return }
    removals[DocumentID(document.id)] = Removal(id: document.id, updated: document.updated, change: change)
    guard held != nil else { return }
    lines += change.line + [10]
    unstamped.append((change.key, change.clock))
  }

  /// Whether another document has the same record, for example if their ids differ only in case.
  func isElsewhere(_ key: [UInt8], than id: String) throws -> Bool {
    guard let peer = try peer() else { return false }
    return try store.documents(with: key, of: peer).contains { other in
      if case .some(nil) = read[DocumentID(other.id)] { return false }
      return DocumentID(other.id) != DocumentID(id)
    }
  }
}
