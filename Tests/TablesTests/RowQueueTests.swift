import JSONLines
import Store
import Tables
import TestSupport
import Testing

/// Rows that refer to others, with foreign keys that are checked at the end of a transaction.
@Suite struct RowQueueTests {
  private let database: Database

  init() throws {
    database = try Database(Database.inMemory, wait: .zero)
    try database.run(
      "PRAGMA foreign_keys = ON; CREATE TABLE lists (id TEXT PRIMARY KEY, name TEXT UNIQUE);"
        + "CREATE TABLE items (id TEXT PRIMARY KEY, late TEXT REFERENCES items DEFERRABLE INITIALLY DEFERRED, "
        + "early TEXT REFERENCES items (ID), name TEXT REFERENCES lists (name) DEFERRABLE INITIALLY DEFERRED)"
    )
  }

  /// Writes the lines in one transaction; returns the ids of refused rows.
  private func refused(_ lines: [JSONValue], in name: String = "items") throws -> [String] {
    try database.transaction {
      let table = try Table(name, in: database)
      var queue = RowQueue<String>(try TableWriter(table, in: database, isSelective: true))
      var refused: [String] = []
      for line in lines {
        let row = try #require(try RowLine(Array(line.text.utf8).span, of: table))
        _ = try queue.write(row, line["id"]?.stringValue ?? "")
      }
      try queue.finish { id, result in
        if case .failure = result { refused.append(id) }
      }
      return refused
    }
  }

  private func ids() throws -> [String] {
    var ids: [String] = []
    try database.statement("SELECT id FROM items ORDER BY id").forEachRow { ids.append($0.text(0)) }
    return ids
  }

  @Test func aRowWithoutItsOtherRowIsRefusedAlone() throws {
    #expect(try refused([["id": "a", "late": "x"], ["id": "b"], ["id": "c", "late": "a"]]) == ["a", "c"])
    #expect(try ids() == ["b"])
  }

  /// Undone writes are counted too.
  @Test(arguments: ["lists", "children"])
  func rowsThatAreNotInACircleAreNotWrittenTogether(parent: String) throws {
    try database.run("CREATE TABLE children (id TEXT PRIMARY KEY, list TEXT REFERENCES \(parent))")
    let before = database.totalChanges
    let rows: [JSONValue] = [["id": "a", "list": "x"], ["id": "b", "list": "x"]]
    #expect(try refused(rows, in: "children") == ["a", "b"])
    #expect(database.totalChanges == before)
  }

  /// One by one, these orders would take thousands of rounds.
  @Test(arguments: [("late", 1), ("late", 1_237), ("early", 1)])
  func aLongChainInTheWrongOrderIsWritten(member: String, step: Int) throws {
    let count = 3_000
    let lines = (0..<count).map { place -> JSONValue in
      let number = place * step % count
      return number == count - 1
        ? ["id": .string("\(number)")] : ["id": .string("\(number)"), member: .string("\(number + 1)")]
    }
    #expect(try refused(lines).isEmpty)
    #expect(try ids().count == count)
  }

  /// From both ends: in either order, each round would write one row.
  @Test(.endsHangs, arguments: ["late", "early"])
  func aChainFromBothEndsIsWrittenAndDeleted(member: String) throws {
    let count = 20_000
    // Otherwise SQLite reads the whole table to delete a row.
    try database.run("CREATE INDEX lates ON items (late); CREATE INDEX earlies ON items (early)")
    let numbers = (0..<count).map { $0 % 2 == 0 ? $0 / 2 : count - 1 - $0 / 2 }
    let rows = numbers.map { number -> JSONValue in
      number == count - 1
        ? ["id": .string("\(number)")] : ["id": .string("\(number)"), member: .string("\(number + 1)")]
    }
    #expect(try refused(rows).isEmpty)
    #expect(try ids().count == count)
    if member == "early" {
      #expect(
        try refused(numbers.map { ["id": .string("\($0)"), "deletedAt": "2025-05-02T00:00:00Z"] }).isEmpty)
      #expect(try ids().isEmpty)
    }
  }

  /// A line that waits is not written over a later line of its row.
  @Test func theLinesOfARowKeepTheirOrder() throws {
    try database.run(
      "CREATE TABLE tree (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree, name TEXT)")
    func names(_ lines: [JSONValue]) throws -> [String] {
      try database.run("DELETE FROM tree")
      #expect(try refused(lines, in: "tree").isEmpty)
      var names: [String] = []
      try database.statement("SELECT id || name FROM tree ORDER BY id").forEachRow {
        names.append($0.text(0))
      }
      return names
    }
    let (old, new): (JSONValue, JSONValue) = (
      ["id": 1, "parent": 2, "name": "old"], ["id": 1, "parent": 2, "name": "new"]
    )
    let parent: JSONValue = ["id": 2, "name": "parent"]
    #expect(try names([old, new, parent]) == ["1new", "2parent"])
    #expect(try names([new, old, parent]) == ["1old", "2parent"])
    #expect(try names([old, ["id": "1", "parent": .null, "name": "new"], parent]) == ["1new", "2parent"])
    #expect(try names([old, ["id": 1, "deletedAt": "2025-05-02T00:00:00Z"], parent]) == ["2parent"])
  }

  /// SQLite compares texts by their bytes, unless the column has a collation or numbers.
  @Test(arguments: [
    ("a", "A"), ("a", "a "), ("1", "01"), ("1000", "1e3"), ("\u{E9}", "e\u{301}"), ("inf", "1e999"),
    ("10000000000000000000001", "10000000000000000000002"),
  ])
  func keysThatDifferInBytesAreTwoRows(id: String, other: String) throws {
    #expect(try refused([["id": .string(id), "early": .string(other)], ["id": .string(other)]]).isEmpty)
    #expect(try ids().count == 2)
  }

  @Test(
    arguments: [
      ("TEXT COLLATE NOCASE", "a", "A"), ("TEXT COLLATE RTRIM", "a", "a "), ("NUMERIC", 1, "01"),
      ("TEXT", 1, "1"), ("REAL", "1e3", 1000), ("INTEGER", " 1", 1),
    ] as [(String, JSONValue, JSONValue)])
  func keysThatAreEqualInTheTableAreOneRow(type: String, id: JSONValue, other: JSONValue) throws {
    try database.run("CREATE TABLE one (id \(type) PRIMARY KEY, parent REFERENCES one, name TEXT)")
    let lines: [JSONValue] = [
      ["id": id, "parent": 7, "name": "old"], ["id": other, "parent": 7, "name": "new"], ["id": 7],
    ]
    #expect(try refused(lines, in: "one").isEmpty)
    #expect(try database.integer("SELECT count(*) FROM one WHERE name = 'new'") == 1)
    #expect(try database.integer("SELECT count(*) FROM one") == 2)
  }

  @Test func aNumberAndATextAreTwoRowsInAColumnWithoutAType() throws {
    try database.run("CREATE TABLE tree (id PRIMARY KEY, parent REFERENCES tree)")
    #expect(try refused([["id": 1, "parent": "1"], ["id": "1"]], in: "tree").isEmpty)
    #expect(try database.integer("SELECT count(*) FROM tree") == 2)
  }

  /// In either order, each round writes one row.
  ///
  /// The first table refuses negative temporary values, the second one all temporary values.
  @Test(arguments: ["pos >= 0", "pos < 1000"])
  func aLongExchangeInTheWrongOrderIsWritten(check: String) throws {
    try database.run("CREATE TABLE places (id INTEGER PRIMARY KEY, pos INTEGER UNIQUE CHECK (\(check)))")
    let numbers = (0..<300).filter { $0 % 2 == 0 } + (0..<300).filter { $0 % 2 == 1 }
    for step in 0...1 {
      let lines = numbers.map { ["id": .integer($0), "pos": .integer($0 + step)] as JSONValue }
      #expect(try refused(lines, in: "places").isEmpty)
    }
    #expect(try database.integer("SELECT count(*) FROM places WHERE pos = id + 1") == 300)
  }

  @Test func rowsWithRestrictedValuesExchangeThem() throws {
    try database.run(
      "CREATE TABLE places (id INTEGER PRIMARY KEY, pos INTEGER UNIQUE CHECK (pos >= 0), "
        + "shelf INTEGER UNIQUE CHECK (typeof(shelf) IN ('integer', 'null')))")
    let old = (0..<20).map { ["id": .integer($0), "pos": .integer($0)] as JSONValue }
    #expect(try refused(old + [["id": 0, "shelf": 5]], in: "places").isEmpty)
    // The second row takes the shelf of the first one.
    let shelves: [JSONValue] = [6, 5]
    let new = (0..<20).map { id -> JSONValue in
      ["id": .integer(id), "pos": .integer((id + 1) % 20), "shelf": id < 2 ? shelves[id] : .null]
    }
    #expect(try refused(new, in: "places").isEmpty)
    #expect(try database.integer("SELECT count(*) FROM places WHERE pos = (id + 1) % 20") == 20)
    #expect(try database.integer("SELECT shelf FROM places WHERE id = 1") == 5)
  }

  /// The new row takes a value that only the exchange frees; another row refers to it.
  @Test func aRowThatRefersToARowOfAnExchangeIsWritten() throws {
    try database.run(
      "CREATE TABLE pages (id TEXT PRIMARY KEY, parent TEXT REFERENCES pages, code INTEGER UNIQUE, slug TEXT UNIQUE);"
        + "INSERT INTO pages VALUES ('a', NULL, 1, 'home'), ('b', NULL, 2, NULL)")
    let lines: [JSONValue] = [
      ["id": "m", "parent": "n"], ["id": "n", "slug": "home"], ["id": "a", "code": 2, "slug": "old"],
      ["id": "b", "code": 1],
    ]
    #expect(try refused(lines, in: "pages").isEmpty)
    #expect(try database.integer("SELECT count(*) FROM pages") == 4)
  }

  @Test(.endsHangs) func manyRefusedLinesOfARowDoNotRepeatTheOthers() throws {
    let lines = Array(repeating: ["id": "a", "early": "x"] as JSONValue, count: 2_000)
    let others = (0..<10_000).map { ["id": .string("\($0)"), "early": "x"] as JSONValue }
    let last: [JSONValue] = [["id": "a"], ["id": "b", "early": "a"]]
    #expect(try refused(lines + others + last).count == 12_000)
    #expect(try ids() == ["a", "b"])
  }

  /// A later line may be one of a circle.
  @Test func aRefusedLineDoesNotBlockACircle() throws {
    let lines: [JSONValue] = [
      ["id": "a", "early": "x"], ["id": "a", "late": "b"], ["id": "b", "late": "a"],
      ["id": "a", "early": "x"],
    ]
    #expect(try refused(lines) == ["a", "a"])
    #expect(try ids() == ["a", "b"])
  }

  @Test func aRefusedLineDoesNotBlockTheNextLineOfItsRow() throws {
    #expect(
      try refused([["id": "a", "early": "x"], ["id": "a"], ["id": "b", "early": "a"]]) == ["a"])
    #expect(try ids() == ["a", "b"])
  }

  @Test func rowsThatReferToEachOtherAreWritten() throws {
    #expect(try refused([["id": "a", "late": "b"], ["id": "b", "late": "a"]]).isEmpty)
    // One of them is checked at once, the other at the end.
    #expect(try refused([["id": "c", "late": "d"], ["id": "d", "early": "c"]]).isEmpty)
    #expect(try ids() == ["a", "b", "c", "d"])
  }

  /// Their foreign keys are checked at once.
  @Test func aCircleIsWrittenAndDeletedBesideRowsThatAreRefused() throws {
    let lines: [JSONValue] = [
      ["id": "c", "early": "x"], ["id": "a", "early": "b"], ["id": "b", "early": "a"],
      ["id": "d", "early": "c"],
    ]
    #expect(try refused(lines) == ["c", "d"])
    #expect(try ids() == ["a", "b"])
    try database.run("INSERT INTO items (id) VALUES ('y'); INSERT INTO items (id, early) VALUES ('z', 'y')")
    let deletions = ["y", "a", "b"].map { id -> JSONValue in
      ["id": .string(id), "deletedAt": "2025-05-02T00:00:00Z"]
    }
    #expect(try refused(deletions) == ["y"])
    #expect(try ids() == ["y", "z"])
  }

  @Test func aRowThatWaitsDoesNotBlockACircle() throws {
    let circle: [JSONValue] = [["id": "a", "late": "b"], ["id": "b", "late": "a"]]
    let others: [JSONValue] = [
      ["id": "c", "late": "d"], ["id": "d", "late": "x"], ["id": "e", "name": "red"],
    ]
    #expect(try refused(others + circle) == ["c", "d", "e"])
    #expect(try ids() == ["a", "b"])
  }

  /// Without its last row, none of the chain is written, and the circle does not wait for it.
  @Test func aLongChainThatWaitsDoesNotBlockACircle() throws {
    let chain = (1...20).map { ["id": "c\($0)", "late": $0 < 20 ? "c\($0 + 1)" : "x"] as [String: String] }
    let lines = chain.map { JSONValue.object($0.map { JSONMember($0.key, .string($0.value)) }) }
    let circle: [JSONValue] = [["id": "a", "late": "b"], ["id": "b", "late": "a"]]
    #expect(try refused(lines + circle) == chain.map { $0["id"]! })
    #expect(try ids() == ["a", "b"])
    // A row that exists already is there for the others, even if its change is refused.
    try database.run("INSERT INTO items (id) VALUES ('f')")
    let others: [JSONValue] = [
      ["id": "f", "late": "x"], ["id": "g", "late": "h", "early": "f"], ["id": "h", "late": "g"],
    ]
    #expect(try refused(others) == ["f"])
    #expect(try ids() == ["a", "b", "f", "g", "h"])
  }

  @Test func aDeletedRowThatIsReferredToDoesNotBlockACircle() throws {
    try database.run("INSERT INTO items (id) VALUES ('x'); INSERT INTO items (id, late) VALUES ('y', 'x')")
    let lines: [JSONValue] = [
      ["entityName": "items", "identity": ["id": "x"], "deletedAt": "2025-05-02T00:00:00Z", "id": "x"],
      ["id": "a", "late": "b"], ["id": "b", "late": "a"],
    ]
    #expect(try refused(lines) == ["x"])
    #expect(try ids() == ["a", "b", "x", "y"])
  }

  /// Another row refers to the value that the first line changes, and not to the key of its row.
  @Test func aChangedValueThatIsReferredToDoesNotBlockACircle() throws {
    try database.run(
      "CREATE TABLE pages (id TEXT PRIMARY KEY, other TEXT REFERENCES pages, code TEXT UNIQUE, "
        + "top TEXT REFERENCES pages (code)); "
        + "INSERT INTO pages (id, code) VALUES ('x', 'c'); INSERT INTO pages (id, top) VALUES ('y', 'c')")
    let lines: [JSONValue] = [
      ["id": "x", "code": "d"], ["id": "a", "other": "b"], ["id": "b", "other": "a"],
    ]
    #expect(try refused(lines, in: "pages") == ["x"])
    #expect(try database.integer("SELECT count(*) FROM pages") == 4)
  }

  @Test func aValueThatStaysTakenDoesNotBlockAnExchange() throws {
    let lists: [JSONValue] = [
      ["id": "1", "name": "red"], ["id": "2", "name": "blue"], ["id": "3", "name": "green"],
    ]
    #expect(try refused(lists, in: "lists").isEmpty)
    let changes: [JSONValue] = [
      ["id": "4", "name": "green"], ["id": "1", "name": "blue"], ["id": "2", "name": "red"],
    ]
    #expect(try refused(changes, in: "lists") == ["4"])
    #expect(try database.integer("SELECT id FROM lists WHERE name = 'blue'") == 1)
  }

  /// The row is named; the transaction has ended, so no other row is written.
  @Test func aTriggerMayRollBackTheTransaction() throws {
    try database.run(
      "CREATE TRIGGER never BEFORE INSERT ON items WHEN new.name = 'never' BEGIN SELECT RAISE(ROLLBACK, 'no'); END;"
        + "INSERT INTO lists VALUES ('1', 'never')")
    func culprit(_ lines: [JSONValue]) throws -> String? {
      try database.begin(writing: true)
      defer { database.rollback() }
      let table = try Table("items", in: database)
      var queue = RowQueue<String>(try TableWriter(table, in: database, isSelective: true))
      #expect(throws: StoreError.self) {
        for line in lines {
          let row = try #require(try RowLine(Array(line.text.utf8).span, of: table))
          _ = try queue.write(row, line["id"]?.stringValue ?? "")
        }
        try queue.finish { _, _ in }
      }
      return queue.culprit
    }
    #expect(try culprit([["id": "a"], ["id": "b", "name": "never"], ["id": "c"]]) == "b")
    // The trigger sees the other row only while the waiting rows are written together.
    try database.run(
      "DROP TRIGGER never; CREATE TRIGGER pairs BEFORE INSERT ON items WHEN EXISTS (SELECT 1 FROM items) "
        + "BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
    #expect(try culprit([["id": "a", "late": "b"], ["id": "b", "late": "a"]]) == "a")
    #expect(try ids().isEmpty)
  }

  @Test func referredRowsExchangeTheirValues() throws {
    #expect(try refused([["id": "1", "name": "red"], ["id": "2", "name": "blue"]], in: "lists").isEmpty)
    #expect(try refused([["id": "a", "name": "red"], ["id": "b", "name": "blue"]]).isEmpty)
    #expect(try refused([["id": "1", "name": "blue"], ["id": "2", "name": "red"]], in: "lists").isEmpty)
    #expect(try refused([["id": "1", "name": "green"]], in: "lists") == ["1"])
  }
}
