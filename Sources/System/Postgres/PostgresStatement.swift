import Store

/// A statement of a household, without a name on the server: it is sent again each time.
final class PostgresStatement: StatementDriver {
  private unowned let database: HouseholdDatabase
  private let text: PostgresText
  private let isLong: Bool
  private var values: PostgresValues
  private var result: PostgresResult?
  private var row = -1
  /// The cursor of a statement with rows that are fetched in parts.
  private var cursor: Cursor?

  private struct Cursor {
    var name: String
    /// The number of rows that are requested at once.
    var size = 16
  }

  /// The target size of a part, in bytes.
  private static let largePiece = 256 << 10
  private static let mostRows = 1_024

  init(_ sql: String, on database: HouseholdDatabase, isLong: Bool) {
    (text, self.database, self.isLong) = (PostgresText(sql), database, isLong)
    values = PostgresValues(count: text.values)
  }

  // MARK: Values

  func bind(_ place: Int32, _ number: Int64?) { values.bind(place, number) }
  func bind(_ place: Int32, _ number: Double) { values.bind(place, Int64(number)) }
  func bind(_ place: Int32, text: Span<UInt8>) { values.bind(place, text) }
  func bind(_ place: Int32, bytes: Span<UInt8>) { values.bind(place, bytes) }

  // MARK: Steps

  func step() throws(StoreError) -> Bool {
    if result == nil { try begin() }
    row += 1
    if let result, row < result.count { return true }
    if try readOn() { return true }
    reset()
    return false
  }

  private func begin() throws(StoreError) {
    row = -1
    guard isLong, text.isQuery, database.isInside else {
      result = try database.answer(text.sql, values.packed)
      return
    }
    let cursor = Cursor(name: database.nextCursor())
    try database.send("DECLARE \(cursor.name) NO SCROLL CURSOR FOR \(text.sql)", values.packed)
    self.cursor = cursor
    result = try database.answer("FETCH \(cursor.size) FROM \(cursor.name)", .init())
  }

  /// Requests more rows, with about the size of a part in total.
  private func readOn() throws(StoreError) -> Bool {
    guard let known = cursor, let before = result, before.count == known.size else { return false }
    let bytes = (0..<before.count).reduce(0) { $0 + before.size(ofRow: $1) }
    let size = min(Self.mostRows, max(1, Self.largePiece * before.count / max(1, bytes)))
    cursor?.size = size
    // Free the previous part, so that only one is in memory.
    result = nil
    let next = try database.answer("FETCH \(size) FROM \(known.name)", .init())
    (result, row) = (next, 0)
    return next?.count ?? 0 > 0
  }

  func run() throws(StoreError) { try database.run(text.sql, values.packed) }

  func reset() {
    if let cursor { database.close(cursor.name) }
    (result, cursor, row) = (nil, nil, -1)
  }

  // MARK: Columns

  func kind(_ column: Int32) -> Statement.Kind {
    guard let result, !result.isNull(row, column) else { return .null }
    return switch result.type(column) {
    case 16, 20, 21, 23: .integer
    case 17: .blob
    case 700, 701: .real
    default: .text
    }
  }

  func integer(_ column: Int32) -> Int64 { result?.integer(row, column) ?? 0 }
  func real(_ column: Int32) -> Double { Double(integer(column)) }

  @unsafe
  func buffer(_ column: Int32) -> UnsafeRawBufferPointer {
    unsafe result?.buffer(row, column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}
