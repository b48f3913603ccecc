import JSONLines
import Store
import SyncCore

extension FirestoreRemote {
  /// The plan for a commit: its writes, and the facts to remember when they are done.
  struct Plan {
    var writes: [JSONValue] = []
    /// The document of each write; nil if it is removed.
    var written: [(id: String, document: KnownDocument?)] = []
    /// The notes about removed documents, and the writes that make them.
    var removals: [(removal: Removal, write: JSONValue)] = []
    /// Deletions of records that do not have documents to mark.
    var unmarked: [Removal] = []
    var keys: [[UInt8]] = []
    /// What to remember of each document, nil to forget it; written documents are added after the commit.
    var noted: [DocumentID: KnownDocument?] = [:]
    /// The problem of each key; nil for a record that could be written.
    var problems: [[UInt8]: String?] = [:]
    var hasNews = false
    /// Versions that are overwritten unread, with their replacements.
    var overwritten: [(key: [UInt8], line: [UInt8], winner: [UInt8])] = []
    /// Records that are written with later clocks than in this store.
    var restamped: [(before: DocumentForm.Outgoing, after: DocumentForm.Outgoing)] = []
  }

  mutating func plan(_ changes: ArraySlice<DocumentForm.Outgoing>) throws -> Plan {
    var plan = Plan()
    var named: [(change: DocumentForm.Outgoing, id: String)] = []
    for change in changes {
      plan.problems[change.key] = .some(nil)
      do {
        named += try documentIDs(of: change).map { (change, $0) }
      } catch let problem as DocumentProblem {
        // A deletion is not needed in the collection if the record could never be written to it.
        plan.problems[change.key] = .some(change.isTombstone ? nil : problem.message)
      }
    }
    let found = try client.documents(named.map(\.id))
    // Documents of new records cannot have a removal.
    let noted = try removals(
      of: named.filter { change, id in
        try change.isTombstone || found[DocumentID(id)] == nil && known(id) != nil
      }.map(\.id))
    for (change, id) in named {
      do {
        let id = DocumentID(id)
        if change.isTombstone, settings.deletedField == nil {
          try remove(change, id.text, found[id], noted, &plan)
        } else {
          try add(change, id.text, over: found[id], noted[id.text], to: &plan)
        }
      } catch let problem as DocumentProblem {
        plan.problems[change.key] = .some(problem.message)
      }
    }
    return plan
  }

  /// The ids of the record's documents, or the id of the document that it will get.
  ///
  /// For a deletion without such documents: the ids of removed documents that had the record.
  private func documentIDs(of change: DocumentForm.Outgoing) throws -> [String] {
    guard let peer = try peer() else { return [try form.id(for: change)] }
    var ids = try store.documents(with: change.key, of: peer).map(\.id)
    if ids.isEmpty, change.isTombstone { ids = try store.removedDocuments(with: change.key, of: peer) }
    return ids.isEmpty ? [try form.id(for: change)] : ids
  }

  private mutating func add(
    _ change: DocumentForm.Outgoing, _ id: String, over present: Document?, _ removal: Removal?,
    to plan: inout Plan
  ) throws {
    let known = try known(id)
    let name = JSONValue.string(client.path.name(of: id))
    guard let present else {
      // A removed document does not need a mark; if it is written again, that version is later than the deletion. A
      // record changed in this store after the removal is written again.
      if change.isTombstone {
        plan.noted[DocumentID(id)] = .some(nil)
        plan.unmarked.append(Removal(id: id, updated: "", change: change.asChange))
        return
      }
      // If the document of an unchanged record from the collection is missing, its deletion was not read yet.
      if let known, !known.updated.isEmpty, try isTheirs(change.key) { return }
      if let removed = try removed(id), try isAside(change.key, removed.gone) {
        throw DocumentProblem(
          .quarantined,
          "the deletion of its document is in quarantine; 'peersync run' retries it, and 'synclog quarantine list' "
            + "shows it"
        )
      }
      if let known, let removal, removal.isNews(about: known),
        !form.isLater(change, than: removal.change.line)
      {
        return try leaveUnread(known, &plan, "was removed by a later deletion")
      }
      let later = try outliving(change, id)
      if let later { plan.restamped.append((change, later)) }
      let made = later ?? change
      let fields = try form.fields(of: made, over: nil, id: id, sample: try types(for: made))
      return plan.add(made, id, fields, Self.update(name, fields, ["exists": false]))
    }
    let fields = try form.fields(of: change, over: present, id: id, sample: [])
    if form.holds(present, fields) {
      plan.noted[DocumentID(id)] = .some(
        KnownDocument(
          id: id, key: change.key, updated: present.updated, clock: change.change.clock,
          noted: Document.noteID(present.fields)))
      return
    }
    guard try isRead(change, id, present, &plan) else { return }
    plan.add(change, id, fields, Self.update(name, fields, ["updateTime": .string(present.updated)]))
  }

  /// Removes a document, and notes the deletion for stores that have the record without its document.
  private mutating func remove(
    _ change: DocumentForm.Outgoing, _ id: String, _ present: Document?, _ notes: RemovalNotes,
    _ plan: inout Plan
  ) throws {
    var last = change
    let earlier = notes[id]
    let isKnown = earlier.map { !form.isLater(change, than: $0.change.line) } ?? false
    if isKnown, let earlier { last = try form.outgoing(earlier.change.line) ?? change }
    let fields = try form.removalFields(of: last, id: id)
    if let present {
      guard try isRead(change, id, present, &plan) else { return }
      plan.writes.append([
        "delete": .string(client.path.name(of: id)),
        "currentDocument": ["updateTime": .string(present.updated)],
      ])
      plan.written.append((id, nil))
    } else {
      plan.noted[DocumentID(id)] = .some(nil)
      if isKnown { return }
    }
    let write: JSONValue = [
      "update": [
        "name": .string(client.path.checkpointName(Removal.id(of: id))), "fields": .object(fields),
      ],
      "updateTransforms": [["fieldPath": .string(Removal.time), "setToServerValue": "REQUEST_TIME"]],
      "currentDocument": notes.condition(ofNoteAbout: id),
    ]
    plan.keys.append(change.key)
    plan.removals.append((Removal(id: id, updated: "", change: last.asChange), write))
  }

  /// Whether the current version of a document has been read and merged, so that it may be replaced.
  private mutating func isRead(
    _ change: DocumentForm.Outgoing, _ id: String, _ present: Document, _ plan: inout Plan
  ) throws -> Bool {
    let known = try known(id)
    let past = try past(of: present, known)
    let there: DocumentForm.Change
    do throws(DocumentProblem) {
      there = try form.change(present, since: past)
    } catch {
      plan.noted[DocumentID(id)] = .some(
        KnownDocument(
          id: id, key: known?.key ?? [], updated: present.updated, clock: known?.clock,
          noted: Document.noteID(present.fields), problem: error.message))
      throw DocumentProblem(
        error.code, "its document is not a record, and is not overwritten: \(error.message)")
    }
    // Do not overwrite an unread version: it must be read and merged first.
    if known?.updated != present.updated {
      let unread = KnownDocument(
        id: id, key: change.key, updated: "", clock: known?.clock, noted: known?.noted ?? "")
      guard direction == .push, form.isLater(change, than: there.line) else {
        try leaveUnread(unread, &plan, "has a later version")
        return false
      }
      plan.noted[DocumentID(id)] = .some(unread)
      plan.overwritten.append((change.key, there.line, change.text))
    }
    if let known, try !aside(known).isEmpty {
      throw DocumentProblem(
        .quarantined,
        "the document's content is in quarantine; 'peersync run' retries it, and 'synclog quarantine list' shows it"
      )
    }
    return true
  }

  /// Marks a document to be read in the next round; a run that only pushes reports it.
  private func leaveUnread(_ document: KnownDocument, _ plan: inout Plan, _ state: String) throws {
    var unread = document
    unread.updated = ""
    plan.noted[DocumentID(unread.id)] = .some(unread)
    guard direction == .push else {
      plan.hasNews = true
      return
    }
    throw DocumentProblem(.conflict, "its document \(state); a run in both directions would merge it")
  }

  /// A version of a record that wins over the removal of its document.
  ///
  /// The version's clock is just after the deletion's clock. The result is nil if the record already has a
  /// later clock, or if it wins by its rule.
  private mutating func outliving(
    _ change: DocumentForm.Outgoing, _ id: String
  ) throws -> DocumentForm.Outgoing? {
    guard !change.isTombstone, !change.change.isFinal, let removed = try removed(id),
      let clock = change.change.clock, clock <= removed.gone
    else { return nil }
    return try form.restamped(change, to: removed.gone.advanced(by: .milliseconds(1)))
  }

  private func isTheirs(_ key: [UInt8]) throws -> Bool {
    try peer().map { try store.isFrom($0, key) } ?? false
  }

  private static func update(
    _ name: JSONValue, _ fields: [JSONMember], _ condition: JSONValue
  ) -> JSONValue {
    [
      "update": ["name": name, "fields": .object(fields)],
      "updateTransforms": [["fieldPath": "\(Document.note).at", "setToServerValue": "REQUEST_TIME"]],
      "currentDocument": condition,
    ]
  }

  /// The types of members in other documents; empty unless a member's type is ambiguous in plain JSON.
  private mutating func types(for change: DocumentForm.Outgoing) throws -> [JSONMember] {
    guard form.hasOpenTypes(change) else { return [] }
    if let sample { return sample }
    var members: [JSONMember] = []
    for document in try client.documents(.init(limit: 50)).found {
      for member in document.content where member.value["nullValue"] == nil {
        if members[named: member.name] == nil { members.append(member) }
      }
    }
    sample = members
    return members
  }
}

extension FirestoreRemote.Plan {
  fileprivate mutating func add(
    _ change: DocumentForm.Outgoing, _ id: String, _ fields: [JSONMember], _ write: JSONValue
  ) {
    writes.append(write)
    written.append(
      (
        id,
        KnownDocument(
          id: id, key: change.key, updated: "", clock: change.change.clock, noted: Document.noteID(fields))
      ))
    keys.append(change.key)
  }
}
