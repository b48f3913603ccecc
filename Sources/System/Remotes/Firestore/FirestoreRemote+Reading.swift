import JSONLines
package import SyncCore
import Store
import SystemIO

extension FirestoreRemote {
  /// The limit for one query; a query for names alone may return more.
  private static let documentsAtOnce = 300
  static let namesAtOnce = 1_000
  /// A commit becomes visible at most this long after the time in its documents.
  private static let overlap = Duration.seconds(300)
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
      case .removals where settings.deletedField != nil:
        place = place.entering(place.from == nil ? .all : .changes)
      case .removals: try readRemovals(&place, into: &lines)
      case .all: try readAll(&place, into: &lines)
      case .changes: try readChanges(&place, into: &lines)
      case .check:
        isOver = try !needsSweep(place)
        place = isOver ? place.finished : place.entering(.sweep)
      case .sweep: isOver = try sweep(&place, into: &lines)
      }
    }
    var page = StorePage(lines: lines, token: place.token, hasMore: !isOver)
    // An empty collection without an agreement does not have rules yet.
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
    let (found, isLast) = try recent(by: Self.time, &place)
    for document in found { try add(document, to: &lines) }
    if isLast {
      place = place.entering(.check)
    } else if let last = found.last {
      try place.move(to: last, last.time)
    }
  }

  /// Reads the deletions of other stores; this phase is first, because later documents win over them.
  private mutating func readRemovals(_ place: inout FirestorePlace, into lines: inout [UInt8]) throws {
    let (found, isLast) = try recent(by: Removal.time, isBeside: true, &place)
    for document in found {
      if let removal = form.removal(document) { try add(removal, to: &lines) }
    }
    if isLast {
      place = place.entering(place.from == nil ? .all : .changes)
    } else if let last = found.last {
      try place.move(to: last, last.time(Removal.time))
    }
  }

  /// The next documents after the place, ordered by a server's time in them.
  private func recent(
    by time: String, isBeside: Bool = false, _ place: inout FirestorePlace
  ) throws -> (found: [Document], isLast: Bool) {
    let from = place.from.flatMap { Instant($0) } ?? .epoch
    var query = FirestoreClient.Query(orders: [time, "__name__"], limit: Self.documentsAtOnce)
    query.isBeside = isBeside
    query.least = ["timestampValue": .string("\(from.advanced(by: .zero - Self.overlap))")]
    if let at = place.at {
      query.after = [["timestampValue": .string(at)]] + after(place, isBeside: isBeside)
    }
    let answer = try client.documents(query)
    place.began = place.began ?? answer.time
    return (answer.found, answer.isLast)
  }

  /// Reads documents that turned out to be newer when this store was about to write them.
  private mutating func readStale(into lines: inout [UInt8]) throws {
    guard let peer = try peer() else { return }
    let stale = try store.staleDocuments(of: peer, limit: Self.namesAtOnce).filter {
      read[DocumentID($0.id)] == nil
    }
    let found = try read(stale.map(\.id), into: &lines)
    let missing = stale.map(\.id).filter { found[DocumentID($0)] == nil }
    for removal in try self.removals(of: missing).readable.values { try add(removal, to: &lines) }
  }

  /// Whether the number of documents has changed, or the time to compare all names has come.
  private func needsSweep(_ place: FirestorePlace) throws -> Bool {
    var known = try peer().map { try store.documentCount(of: $0) } ?? 0
    // Include the documents of the current page, which are remembered only after the merge.
    for (id, document) in read {
      let isThere = try peer().flatMap { try store.document(id.text, of: $0) } != nil
      known += (document == nil ? 0 : 1) - (isThere ? 1 : 0)
    }
    guard try client.count() == known else { return true }
    guard let swept = place.swept.flatMap({ Instant($0) }), let present = place.began.flatMap({ Instant($0) })
    else { return true }
    return swept.advanced(by: .seconds(settings.sweepSeconds)) <= present
  }

  /// The remembered facts about a document.
  mutating func past(of document: Document, _ known: KnownDocument?) throws -> DocumentForm.Past {
    guard let known else { return try DocumentForm.Past(removed: removed(document.id)) }
    var past = DocumentForm.Past(known: known)
    if known.updated != document.updated, let last = known.clock, form.noted(document) ?? last < last {
      past.isContinuous = try isContinuous(since: known)
    }
    return past
  }

  /// Whether the collection has a store's note that is later than that version.
  ///
  /// A collection that was restored to an earlier state lacks such a note.
  private mutating func isContinuous(since known: KnownDocument) throws -> Bool {
    guard let time = Instant(known.updated) else { return true }
    if lastWriting == nil {
      var query = FirestoreClient.Query(orders: ["at"], limit: 1)
      (query.isBeside, query.isReversed) = (true, true)
      lastWriting = .some(try client.documents(query).found.first?.instant("at"))
    }
    return (lastWriting ?? nil).map { time <= $0.advanced(by: .seconds(10)) } ?? false
  }

  func after(_ place: FirestorePlace, isBeside: Bool = false) -> [JSONValue] {
    place.after.map {
      [["referenceValue": .string(isBeside ? client.path.checkpointName($0) : client.path.name(of: $0))]]
    } ?? []
  }

  // MARK: Documents

  @discardableResult
  mutating func read(_ ids: [String], into lines: inout [UInt8]) throws -> [DocumentID: Document] {
    let found = try client.documents(ids)
    for id in ids {
      if let document = found[DocumentID(id)] { try add(document, to: &lines) }
    }
    return found
  }

  /// Appends the change of a document, unless it is unchanged since it was last read or written.
  ///
  /// A complete answer also contains unchanged documents.
  mutating func add(
    _ document: Document, to lines: inout [UInt8], isComplete: Bool = false
  ) throws {
    var known = try known(document.id)
    if known?.updated == document.updated {
      if !isComplete { return }
    } else {
      known = try known.map { try superseded($0) }
    }
    let past = try past(of: document, known)
    let change: DocumentForm.Change
    do throws(DocumentProblem) {
      change = try form.change(document, since: past)
    } catch {
      read[DocumentID(document.id)] = .some(
        KnownDocument(
          id: document.id, key: known?.key ?? [], updated: document.updated, clock: known?.clock,
          noted: Document.noteID(document.fields), problem: error.message))
      return
    }
    // Another document of the record does not have this version yet.
    if try isElsewhere(change.key, than: document.id)
      || !past.isEmpty && form.change(document, since: .init()).clock != change.clock
    {
      unstamped.append((change.key, change.clock))
    }
    lines += change.line + [10]
    if let removed = past.removed, !change.isTombstone, !change.isFinal,
      change.clock ?? .epoch <= removed.gone
    {
      outlived.append((change.key, change.line))
    }
    read[DocumentID(document.id)] = .some(
      KnownDocument(
        id: document.id, key: change.key, updated: document.updated, clock: change.clock,
        noted: Document.noteID(document.fields)))
  }
}
