import JSONLines
package import SyncCore

extension ChangeStore {
  /// The limits of a page of an answer; a page has at least one line.
  package struct PageLimits: Sendable {
    package var lines: Int?
    package var bytes: Int?

    package init(lines: Int? = nil, bytes: Int? = nil) { (self.lines, self.bytes) = (lines, bytes) }

    fileprivate func allow(_ lines: Int, _ bytes: Int) -> Bool {
      lines == 1 || lines <= self.lines ?? .max && bytes <= self.bytes ?? .max
    }
  }

  /// The end of a page, where the next request starts.
  package struct PageEnd: Equatable, Sendable {
    package var token: StoreToken
    package var hasMore: Bool
  }

  /// Passes the changes after a token in the order of their sequences; without a token, everything.
  ///
  /// With `leavingOutEcho`, changes that came from `requester` are left out. The cost depends on the number of
  /// changes, not on the size of the store. Throws `foreignToken`, `expiredToken`, and `rulesChanged` if the
  /// store's rules differ from `rules`. It throws `corrupt` at a row that does not match its checksum,
  /// because a token must not cover that row.
  package func changes(
    after token: StoreToken?, for requester: StorePeer? = nil, leavingOutEcho: Bool = false,
    limits: PageLimits = PageLimits(),
    rules: RecordShape? = nil,
    _ body: (Span<UInt8>) throws -> Void
  ) throws -> PageEnd {
    try read {
      if let rules, let present = try self.rules(), !present.hasSameRules(as: rules) {
        throw StoreError.rulesChanged
      }
      if let token { try require(token) }
      let leftOut = leavingOutEcho ? requester?.number ?? 0 : 0
      let start = token == nil ? state.sequence : token?.start
      var (lines, bytes, last) = (0, 0, token?.sequence ?? 0)
      let rows = try database.statement(
        "SELECT sequence, origin, line, key, checksum FROM changes WHERE sequence > ?1 ORDER BY sequence",
        isLong: true
      ).bind(1, last)
      defer { rows.reset() }
      while try rows.step() {
        if leftOut == 0 || rows.integer(1) != leftOut {
          let line = rows.span(2)
          lines += 1
          bytes += line.count + 1
          guard limits.allow(lines, bytes) else {
            return PageEnd(
              token: try self.token(endOfPage: last, start: start), hasMore: true)
          }
          try RowChecksum.require(rows.integer(4), rows.span(3), line)
          try body(line)
        }
        last = rows.integer(0)
      }
      return PageEnd(token: try self.token(at: state.sequence), hasMore: false)
    }
  }

  /// The number of changes after a token.
  func changeCount(after token: StoreToken) throws -> Int {
    try read {
      let count = try database.statement("SELECT count(*) FROM changes WHERE sequence > ?1")
        .bind(1, token.sequence).first { $0.integer(0) }
      return Int(count ?? 0)
    }
  }

  private func require(_ token: StoreToken) throws(StoreError) {
    switch try standing(of: token) {
    case .valid: return
    case .foreign: throw .foreignToken
    case .expired: throw .expiredToken
    }
  }

  /// Passes the newest line of every key, or of one entity's keys, in order; tombstones only if requested.
  ///
  /// With `isBaseline` these lines become the baseline of the next `record`, unless `finish` throws; a bound
  /// entity is refused. A row that does not match its checksum is left out and reported to `leavingOut`.
  /// Without `leavingOut` such a row throws `corrupt`.
  package func forEachLine(
    of entity: String? = nil, tombstones: Bool, isBaseline: Bool,
    leavingOut: ((String) throws -> Void)? = nil,
    _ body: (_ line: Span<UInt8>, _ key: Span<UInt8>) throws -> Void, finish: () throws -> Void
  ) throws {
    let keys = KeyRange(of: entity)
    let condition = tombstones ? "" : " AND NOT tombstone"
    func handOver() throws {
      try database.statement(
        "SELECT line, key, checksum FROM changes WHERE key > ?1 AND key < ?2\(condition) ORDER BY key",
        isLong: true
      ).bind(1, keys.opening).bind(2, keys.end).forEachRow { row in
        if let leavingOut, RowChecksum.of(row.span(1), row.span(0)) != row.integer(2) {
          return try leavingOut(RowChecksum.fault(of: row.span(1)))
        }
        try RowChecksum.require(row.integer(2), row.span(1), row.span(0))
        try body(row.span(0), row.span(1))
      }
      try finish()
    }
    guard isBaseline else { return try read(handOver) }
    try write {
      try requireUnbound(entity)
      try handOver()
      try recordBaseline(keys)
    }
  }

  /// Passes each key, in any order.
  package func forEachKey(_ body: (Span<UInt8>) throws -> Void) throws {
    try read {
      try database.statement("SELECT key FROM changes INDEXED BY changesByKey", isLong: true).forEachRow {
        try body($0.span(0))
      }
    }
  }

  package func line(of key: Span<UInt8>) throws(StoreError) -> (line: [UInt8], isTombstone: Bool)? {
    try row(of: key).map { ($0.line, $0.isTombstone) }
  }
}

/// Converts the lines of a store to records where possible, in the form that `synclog dump` writes.
package struct StoredRecords {
  /// The converter; without it, change lines are returned.
  private var unwrapper: RecordUnwrapper?
  /// The number of lines that stay change lines, because their records alone would be incomplete.
  package private(set) var wrapped = 0

  /// `shape` has the rules for reading the records again; nil returns change lines.
  package init(_ shape: RecordShape?) { unwrapper = shape.map { RecordUnwrapper($0) } }

  /// Uses the rules of the store, or with `entity` the rules for a file of that entity.
  package init(_ store: ChangeStore, entity: String?) throws(StoreError) {
    let choice = RuleChoice(RecordShape(), hasProfile: false, entityName: entity)
    self.init(
      choice.shape(
        under: try store.rules() ?? RecordShape(), entities: entity == nil ? try store.entities(upTo: 2) : [])
    )
  }

  /// The part of a line that is returned: the range of its record, or all of it.
  ///
  /// Throws `missingEntity` if only the entity would be missing.
  package mutating func range(of line: Span<UInt8>, _ key: Span<UInt8>) throws(ChangeError) -> Range<Int> {
    if let record = try unwrapper?.record(in: line, key) { return record }
    if unwrapper != nil { wrapped += 1 }
    return 0..<line.count
  }
}
