package import SyncCore

extension ChangeStore {
  /// Names the state after `sequence`.
  func token(at sequence: Int64) throws(StoreError) -> StoreToken {
    // Of a commit under way the mark is not known yet; whoever writes asks for the token afterwards.
    StoreToken(store: id, sequence: sequence, mark: try mark(at: sequence) ?? 0)
  }

  /// Names the end of a page that is read now and has more after it; `start` is where a complete answer began.
  func token(endOfPage sequence: Int64, start: Int64?) throws(StoreError) -> StoreToken {
    let read = state.sequence
    return StoreToken(
      store: id, sequence: sequence, mark: try mark(at: read) ?? 0, read: read, start: start)
  }

  /// Names the present state.
  package func currentToken() throws -> StoreToken { try read { try token(at: state.sequence) } }

  package func standing(of token: StoreToken) throws(StoreError) -> TokenStanding {
    token.standing(in: id, mark: try mark(at: token.read ?? token.sequence), compacted: state.compacted)
  }

  /// The mark of the commit that a sequence belongs to; nil beyond the last.
  private func mark(at sequence: Int64) throws(StoreError) -> UInt64? {
    if sequence == 0 { return 0 }
    guard sequence > 0 else { return nil }
    return try database.statement("SELECT mark FROM commits WHERE sequence >= ?1 ORDER BY sequence LIMIT 1")
      .bind(1, sequence).first { UInt64(bitPattern: $0.integer(0)) }
  }
}
