import JSONLines
import Postgres
package import Store
package import SyncCore
import SystemIO

/// Moves households from one place to another with their ids, sequences and marks, so that tokens remain
/// valid.
///
/// First the source is closed for writing, then copied as a whole, then renamed. After an interruption, the same move
/// resumes at the interrupted step. After an error the source is opened again, unless the target may have the copy.
package struct HouseholdMove {
  private let source: Households
  private let target: Households

  package init(from source: Households, to target: Households) {
    (self.source, self.target) = (source, target)
  }

  /// The households to be moved, including those whose move was interrupted.
  package func names() throws -> [String] {
    try naming(source, "") { Set(try source.names() + source.movingNames()).sorted() }
  }

  /// The households whose move was interrupted.
  package func interruptedNames() throws -> [String] {
    try naming(source, "") {
      // A household that cannot be read must not prevent the others from being opened again.
      let closed = try source.names().filter { (try? source.isClosed($0)) == true }
      return Set(try source.movingNames() + closed).sorted()
    }
  }

  /// Whether the move of a household was interrupted.
  package func isInterrupted(_ name: String) throws -> Bool {
    try naming(source, name) { try source.isBeingMoved(name) || source.isClosed(name) }
  }

  /// Whether a household can be moved: it is one of ``names()``, or has been set aside.
  package func has(_ name: String) throws -> Bool {
    try naming(source, name) {
      try source.exists(name) && (!name.contains(".") || HouseholdPlaces.isSetAside(name))
        || source.isBeingMoved(name)
    }
  }

  /// Moves a household; returns the store in its new place, under the name that it had before it was set
  /// aside.
  package func move(_ name: String, at now: Instant) throws -> ChangeStore {
    let base = HouseholdPlaces.base(of: name)
    guard target.places.canHave(base) else {
      throw Diagnostic(
        .conflictingOptions, "the new place cannot have a household '\(base)'",
        hint: "a store that is one file has only the household '\(HouseholdPlaces.only)'")
    }
    let begun =
      try base == name
      ? begin(name)
      : {
        try refuseTaken(name, as: base); return name
      }()
    do {
      // The store is closed before it is renamed.
      try copy(naming(source, begun) { try source.openFenced(begun) }, as: base)
    } catch {
      if base == name { try takeBack(name, after: error) }
      throw error
    }
    let moved = try naming(target, base) { try target.open(base) }
    try naming(source, begun) { try source.setMovedAside(begun, at: now) }
    return moved
  }

  /// Undoes an interrupted move of a household; throws `cannotCreate` if the new place has the household.
  package func cancel(_ name: String) throws -> ChangeStore {
    let begun = name + ChangeStore.movingEnd
    let isRenamed = try naming(source, name) { try source.isBeingMoved(name) }
    let store = try naming(source, name) { try source.open(isRenamed ? begun : name) }
    if try !naming(target, name, { try target.isFree(name) }) {
      let there = try naming(target, name) { try target.open(name) }
      guard try !there.contains(store) else {
        throw Diagnostic(
          .cannotCreate, "the new place already has the household", file: target.places.label(of: name),
          hint: "run the command without --cancel to finish the move")
      }
    }
    return try naming(source, name) {
      if isRenamed { try source.reopen(begun, as: name) } else { try store.unfence() }
      return try source.open(name)
    }
  }

  // MARK: Steps

  private func naming<Value>(_ side: Households, _ name: String, _ body: () throws -> Value) throws -> Value {
    try Diagnostic.naming(store: side.places.label(of: name), body)
  }

  /// Closes the source if it is still open; returns its temporary name.
  private func begin(_ name: String) throws -> String {
    let begun = name + ChangeStore.movingEnd
    if try naming(source, name, { try source.exists(name) }) {
      guard try !source.isBeingMoved(name) else {
        throw Diagnostic(
          .cannotCreate,
          "a move of '\(name)' was interrupted, and later another household '\(name)' was made",
          file: source.places.label(of: name),
          hint: "remove the new household with 'syncserve household remove', then run the move again")
      }
      try refuseTaken(name, as: name)
      try naming(source, name) { try source.fence(name, as: begun) }
    }
    return begun
  }

  /// Throws if the target already has the household, or if one of its keys is too long for the target.
  private func refuseTaken(_ name: String, as base: String) throws {
    let label = target.places.label(of: base)
    let store = try naming(source, name) { try source.open(name) }
    if try naming(target, base, { try target.exists(base) }) {
      let there = try naming(target, base) { try target.open(base) }
      guard there.id == store.id else { throw other(base) }
      let isSame = try naming(source, name) { try there.contains(store) }
      throw Diagnostic(
        .cannotCreate,
        "the new place already has the household" + (isSame ? "" : ", but not all its changes"),
        file: label,
        hint: isSame
          ? "the move is already complete"
          : "to combine both, add the changes of 'syncserve dump' to a store with 'synclog apply'")
    }
    if try naming(target, base, { try target.isBeingMoved(base) }) {
      throw Diagnostic(StoreError.beingMoved, store: label)
    }
    if case .database = target.places {
      try naming(source, name) { try store.requireKeys(of: HouseholdDatabase.longestKey) }
    }
  }

  private func other(_ name: String) -> Diagnostic {
    Diagnostic(
      .cannotCreate, "another household has the name '\(name)'", file: target.places.label(of: name))
  }

  /// Copies the store; throws if the target has another household with that name, or an older copy.
  private func copy(_ store: ChangeStore, as name: String) throws {
    guard try naming(target, name, { try target.exists(name) }) else {
      if case .database = target.places { try store.requireKeys(of: HouseholdDatabase.longestKey) }
      return try naming(target, name) { try target.add(name, copying: store) }
    }
    let there = try naming(target, name) { try target.open(name) }
    guard there.id == store.id else {
      var error = other(name)
      error.hint = "'\(name)' stays closed: run the same command with --cancel to open it in the old place"
      throw error
    }
    guard try there.contains(store) else {
      throw Diagnostic(
        .cannotCreate, "the new place already has the household, but not all its changes",
        file: target.places.label(of: name),
        hint: "to keep the household in the old place, run the same command with --cancel")
    }
  }

  /// Opens the source again after an error, unless the target has the household or may still get it.
  ///
  /// If the source stays closed, throws the error with its hint, or else with a hint that says so.
  private func takeBack(_ name: String, after error: any Error) throws {
    var hint = (error as? Diagnostic)?.hint
    do {
      if try target.isFree(name) { return try source.reopen(name + ChangeStore.movingEnd, as: name) }
    } catch _ {
      hint = nil
    }
    guard var diagnostic = error as? Diagnostic else { throw error }
    diagnostic.hint =
      hint ?? "'\(name)' stays closed: run the same command again, or with --cancel to undo the move"
    throw diagnostic
  }
}
