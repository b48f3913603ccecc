import JSONLines
package import SyncCore
import Store
import SystemIO

extension FirestoreRemote {
  /// Of one query; names are small.
  private static let documentsAtOnce = 300
  private static let namesAtOnce = 1_000
  /// A commit may be seen so long after the time that is in its documents.
  private static let overlap = Duration.seconds(300)
  private static let storesAtOnce = 100
  private static let time = "\(Document.note).at"

  package mutating func page(_ request: PageRequest, forPeer peer: String) throws -> PageAnswer {
    var place = FirestorePlace()
    if let since = request.since, try !wasReplaced() {
      if since == given { try noteRead() }
      place = FirestorePlace(token: since) ?? place
    }
    var lines: [UInt8] = []
    var isOver = false
    while lines.isEmpty, !isOver {
      if Interruption.pending != nil { throw SystemError.interrupted }
      switch place.phase {
      case .all: try readAll(&place, into: &lines)
      case .changes: try readChanges(&place, into: &lines)
      case .check:
        isOver = try !needsSweep(place)
        place = isOver ? place.finished : place.entering(.sweep)
      case .sweep: isOver = try sweep(&place, into: &lines)
      }
    }
    var page = StorePage(lines: lines, token: place.token, hasMore: !isOver)
    // Where there is nothing, nobody has rules yet.
    if request.wantsRules, agreement != nil || !lines.isEmpty { page.rules = rules.rules }
    given = page.token
    return .page(page)
  }

  // MARK: Phases

  private mutating func readAll(_ place: inout FirestorePlace, into lines: inout [UInt8]) throws {
    let answer = try client.documents(.init(after: after(place), limit: Self.documentsAtOnce))
    place.began = place.began ?? answer.time
    for document in answer.found { try add(document, to: &lines, isComplete: true) }
    if answer.isLast {
      place.swept = place.began
      place = place.entering(.check)
    } else {
      place.after = answer.found.last?.id
    }
  }

  private mutating func readChanges(_ place: inout FirestorePlace, into lines: inout [UInt8]) throws {
    if place.after == nil { try readStale(into: &lines) }
    let from = place.from.flatMap { Instant($0) } ?? .epoch
    var query = FirestoreClient.Query(orders: [Self.time, "__name__"], limit: Self.documentsAtOnce)
    query.least = ["timestampValue": .string("\(from.advanced(by: .zero - Self.overlap))")]
    if let at = place.at { query.after = [["timestampValue": .string(at)]] + after(place) }
    let answer = try client.documents(query)
    place.began = place.began ?? answer.time
    for document in answer.found { try add(document, to: &lines) }
    if answer.isLast {
      place = place.entering(.check)
    } else if let last = answer.found.last {
      guard let at = last.time,
        at != place.at || place.after.map({ DocumentID($0) != DocumentID(last.id) }) ?? true
      else { throw Self.disorder }
      (place.at, place.after) = (at, last.id)
    }
  }

  /// Documents that were found newer when they were to be written.
  private mutating func readStale(into lines: inout [UInt8]) throws {
    guard let peer = try peer() else { return }
    let stale = try store.staleDocuments(of: peer, limit: Self.namesAtOnce).filter {
      read[DocumentID($0.id)] == nil
    }
    try read(stale.map(\.id), into: &lines)
  }

  /// Whether documents were added without a note, or removed, since all names were compared.
  private func needsSweep(_ place: FirestorePlace) throws -> Bool {
    var known = try peer().map { try store.documentCount(of: $0) } ?? 0
    // What was read is remembered when it is merged.
    for (id, document) in read {
      let isThere = try peer().flatMap { try store.document(id.text, of: $0) } != nil
      known += (document == nil ? 0 : 1) - (isThere ? 1 : 0)
    }
    guard try client.count() == known else { return true }
    guard let swept = place.swept.flatMap({ Instant($0) }), let present = place.began.flatMap({ Instant($0) })
    else { return true }
    return swept.advanced(by: .seconds(settings.sweepSeconds)) <= present
  }

  /// Compares names with the documents that are remembered; true at the end.
  private mutating func sweep(_ place: inout FirestorePlace, into lines: inout [UInt8]) throws -> Bool {
    var query = FirestoreClient.Query(after: after(place), limit: Self.namesAtOnce)
    query.isOfNames = true
    let answer = try client.documents(query)
    let start = place.after ?? ""
    let end = answer.isLast ? nil : answer.found.last?.id
    var there: [DocumentID: String] = [:]
    for document in answer.found { there[DocumentID(document.id)] = document.updated }
    let remembered = try peer().map { try store.documents(of: $0, after: start, through: end) } ?? []
    if answer.found.isEmpty, place.after == nil, remembered.count > 1 {
      try checkEmptied(remembered.count, place)
    }
    let missing = remembered.filter { there[DocumentID($0.id)] == nil }
    // What is not in a list is looked for by its name before it counts as removed.
    let present = try client.documents(missing.map(\.id))
    for document in missing {
      if let found = present[DocumentID(document.id)] {
        try add(found, to: &lines)
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

  /// Refuses a collection that was emptied, as by hand in a console, unless another store has removed documents since this one
  /// has read it.
  private func checkEmptied(_ count: Int, _ place: FirestorePlace) throws {
    guard deleteLimit == .usual else { return }
    let from = place.from.flatMap { Instant($0) } ?? .epoch
    let isDeletion = try client.checkpoints(limit: Self.storesAtOnce).contains { document in
      document.id != checkpointID && document.instant("removed").map { from <= $0 } == true
    }
    if isDeletion { return }
    throw Diagnostic(
      .tooManyDeletions, "the collection is empty, and had \(count) documents",
      hint:
        "'--max-delete off' deletes them here too; to write them there again: peersync remote remove \(client.path.word), and "
        + "add it as before")
  }

  /// What this store knows of a document that it reads.
  mutating func past(of document: Document, _ known: KnownDocument?) throws -> DocumentForm.Past {
    guard let known else {
      return try DocumentForm.Past(removed: peer().flatMap { try store.removedDocument(document.id, of: $0) })
    }
    var past = DocumentForm.Past(known: known)
    if known.updated != document.updated, let last = known.clock, form.noted(document) ?? last < last {
      past.isContinuous = try isContinuous(since: known)
    }
    return past
  }

  /// Whether the collection still knows of a store that wrote after that version; after a restore to an earlier state it does
  /// not.
  private mutating func isContinuous(since known: KnownDocument) throws -> Bool {
    guard let time = Instant(known.updated) else { return true }
    if lastWriting == nil {
      let stores = try client.checkpoints(limit: Self.storesAtOnce)
      lastWriting = .some(stores.compactMap { $0.instant("at") }.max())
    }
    return (lastWriting ?? nil).map { time <= $0.advanced(by: .seconds(10)) } ?? false
  }

  private func after(_ place: FirestorePlace) -> [JSONValue] {
    place.after.map { [["referenceValue": .string(client.path.name(of: $0))]] } ?? []
  }

  private static let disorder = Diagnostic(.protocolBroken, "documents in another order than was asked for")

  // MARK: Documents

  private mutating func read(_ ids: [String], into lines: inout [UInt8]) throws {
    let found = try client.documents(ids)
    for id in ids {
      if let document = found[DocumentID(id)] { try add(document, to: &lines) }
    }
  }

  /// Appends the change of a document, unless it is as it was read or written last; to a complete answer in any case.
  private mutating func add(
    _ document: Document, to lines: inout [UInt8], isComplete: Bool = false
  ) throws {
    var known = try known(document.id)
    if known?.updated == document.updated {
      if !isComplete { return }
    } else {
      known = try known.map { try superseded($0) }
    }
    let past = try past(of: document, known)
    do throws(DocumentProblem) {
      let change = try form.change(document, since: past)
      if !past.isEmpty, try form.change(document, since: .init()).clock != change.clock {
        unstamped.append((change.key, change.clock))
      }
      lines += change.line + [10]
      read[DocumentID(document.id)] = .some(
        KnownDocument(
          id: document.id, key: change.key, updated: document.updated, clock: change.clock,
          noted: Document.noteID(document.fields)))
    } catch {
      read[DocumentID(document.id)] = .some(
        KnownDocument(
          id: document.id, key: known?.key ?? [], updated: document.updated, clock: known?.clock,
          noted: Document.noteID(document.fields), problem: error.message))
    }
  }

  /// Appends the deletion of a document that is gone, with a clock just after that of the record which it had.
  ///
  /// A record that was changed here since is none: it will be written there again.
  private mutating func remove(
    _ document: KnownDocument, _ place: FirestorePlace, into lines: inout [UInt8]
  ) throws {
    if case .some(nil) = read[DocumentID(document.id)] { return }
    _ = try superseded(document)
    read[DocumentID(document.id)] = .some(nil)
    guard !document.key.isEmpty, let peer = try peer() else { return }
    let isElsewhere = try store.documents(with: document.key, of: peer).contains { other in
      if case .some(nil) = read[DocumentID(other.id)] {
        false
      } else {
        DocumentID(other.id) != DocumentID(document.id)
      }
    }
    guard !isElsewhere, let held = try store.recordHeld(by: peer, document.key) else { return }
    lines += try form.deletion(of: held, at: place.began.flatMap { Instant($0) } ?? now()) + [10]
  }
}
