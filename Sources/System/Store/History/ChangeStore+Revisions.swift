import SyncCore

/// Numbers that identify the commits of a store, for programs that do not use tokens.
///
/// A revision is the sequence of a commit times 2²⁰, plus 20 bits of its mark. So later revisions are larger,
/// and a program can detect a restored store. Doubles represent all revisions exactly up to sequence 2³³.
extension ChangeStore {
  /// Commits from this sequence on do not have a revision.
  package static let endOfRevisions: Int64 = 1 << 33

  /// The sequence of the last change, inside `read` or `write`.
  package var sequence: Int64 { state.sequence }

  /// Throws `full` if later commits would not have a revision.
  package func requireRevisions() throws(StoreError) {
    if state.sequence >= Self.endOfRevisions { throw .full }
  }

  /// The relation of a remembered revision to the store.
  package enum RevisionStanding: Equatable, Sendable {
    /// Everything after this sequence is new to the program.
    case after(Int64)
    /// The program does not have records yet, or its records cannot be compared with this store.
    case complete
    /// The revision belongs to another store, or to this store before it was restored.
    case foreign
  }

  /// The revision of the last commit; call it inside a `read`.
  package func revision() throws(StoreError) -> Int64 { try revision(of: state.sequence) }

  /// The revision of the commit to which a sequence belongs.
  private func revision(of sequence: Int64) throws(StoreError) -> Int64 {
    let commit = try database.statement(
      "SELECT sequence, mark FROM commits WHERE sequence >= ?1 ORDER BY sequence LIMIT 1"
    ).bind(1, sequence).first { ($0.integer(0), $0.integer(1)) }
    return commit.map { Self.revision($0, mark: $1) } ?? 0
  }

  private static func revision(_ sequence: Int64, mark: Int64) -> Int64 { sequence << 20 | mark & 0xF_FFFF }

  /// The relation of a revision to the store; call it inside `read`.
  package func standing(ofRevision revision: Int64) throws(StoreError) -> RevisionStanding {
    guard revision > 0 else { return .complete }
    let sequence = revision >> 20
    guard sequence <= state.sequence else { return .foreign }
    let mark = try database.statement("SELECT mark FROM commits WHERE sequence = ?1").bind(1, sequence)
      .first { $0.integer(0) }
    guard let mark, Self.revision(sequence, mark: mark) == revision else { return .foreign }
    return sequence < state.compacted ? .complete : .after(sequence)
  }

  /// The given revisions that belong to another store, or to this store before it was restored; call it
  /// inside `read`.
  package func foreignRevisions(among revisions: [Int64]) throws(StoreError) -> Set<Int64> {
    var foreign = Set(revisions.filter { $0 > 0 })
    let sequences = Array(Set(foreign.map { $0 >> 20 }))
    // A request contains up to 500,000 revisions, and a query for each would take minutes on a database
    // server.
    let most = 500
    let places = (1...most).map { "?\($0)" }.joined(separator: ", ")
    for start in stride(from: 0, to: sequences.count, by: most) {
      let rows = try database.statement("SELECT sequence, mark FROM commits WHERE sequence IN (\(places))")
      for place in 0..<most {
        rows.bind(Int32(place + 1), sequences[min(start + place, sequences.count - 1)])
      }
      while try rows.step() { foreign.remove(Self.revision(rows.integer(0), mark: rows.integer(1))) }
    }
    return foreign
  }

  /// Passes the lines stored after a sequence, including deletions, each with the revision of its commit.
  ///
  /// Call it inside `read` or `write`.
  package func forEachLine(
    after sequence: Int64, _ body: (_ key: Span<UInt8>, _ line: Span<UInt8>, _ revision: Int64) throws -> Void
  ) throws {
    try database.statement(
      "SELECT c.key, c.line, c.checksum, m.sequence, m.mark FROM changes c LEFT JOIN commits m ON m.sequence = "
        + "(SELECT sequence FROM commits WHERE sequence >= c.sequence ORDER BY sequence LIMIT 1) "
        + "WHERE c.sequence > ?1 ORDER BY c.sequence", isLong: true
    ).bind(1, sequence).forEachRow { row in
      try RowChecksum.require(row.integer(2), row.span(0), row.span(1))
      try body(row.span(0), row.span(1), Self.revision(row.integer(3), mark: row.integer(4)))
    }
  }

  /// The line of a key with the revision of its commit; call it inside a `read`.
  package func revisedLine(of key: Span<UInt8>) throws(StoreError) -> (line: [UInt8], revision: Int64)? {
    guard let row = try row(of: key) else { return nil }
    let sequence = try database.statement("SELECT sequence FROM changes WHERE key = ?1").bind(1, key)
      .first { $0.integer(0) }
    return (row.line, try revision(of: sequence ?? 0))
  }
}

extension LocalIntake {
  /// Stores a change line with its own clock, if it wins by its rule.
  package mutating func apply(
    _ key: Span<UInt8>, changeLine line: Span<UInt8>
  ) throws(StoreError) -> Outcome {
    try merge(key, line, over: store.row(of: key), base: .newer)
  }
}
