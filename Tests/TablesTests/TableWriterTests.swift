import JSONLines
import Store
import Testing

@testable import Tables

/// Rows of tables whose triggers and foreign keys have a part in each write.
@Suite struct TableWriterTests {
  private let database: Database

  init() throws {
    database = try Database(Database.inMemory, wait: .zero)
    try database.run("PRAGMA foreign_keys = ON")
  }

  /// Writes the lines in one transaction; returns the messages about refused rows.
  @discardableResult
  private func refusals(
    _ lines: [JSONValue], in name: String, keeping others: [String] = [], nested: [String] = []
  ) throws -> [String] {
    try database.transaction {
      var table = try Table(name, in: database)
      try table.setForm(.nested, of: nested)
      var queue = RowQueue<Int>(
        try TableWriter(table, in: database, isSelective: true, keeping: others))
      var messages: [String] = []
      for (number, line) in lines.enumerated() {
        let row = try #require(try RowLine(Array(line.text.utf8).span, of: table))
        do { _ = try queue.write(row, number) } catch let error as TableError {
          messages.append(error.message)
        }
      }
      try queue.finish { _, result in
        if case .failure(let error) = result { messages.append(error.message) }
      }
      return messages
    }
  }

  private func deletion(_ id: String) -> JSONValue {
    ["id": .string(id), "deletedAt": "2025-05-02T00:00:00Z"]
  }

  /// The values of a query, as texts.
  private func values(_ query: String) throws -> [String] {
    var values: [String] = []
    try database.statement(query).forEachRow { row in values.append(row.isNull(0) ? "NULL" : row.text(0)) }
    return values
  }

  // MARK: Conflicts

  /// SQLite applies the clause of a statement to the statements of its triggers.
  @Test(arguments: ["OR IGNORE", "OR REPLACE"])
  func theClausesOfTriggersApply(clause: String) throws {
    try database.run(
      "CREATE TABLE tags (name TEXT UNIQUE); CREATE TABLE notes (id TEXT PRIMARY KEY, tag TEXT);"
        + "CREATE TRIGGER added AFTER INSERT ON notes BEGIN INSERT \(clause) INTO tags VALUES (new.tag); END;"
        + "CREATE TRIGGER edited AFTER UPDATE ON notes BEGIN INSERT \(clause) INTO tags VALUES (new.tag); END"
    )
    #expect(
      try refusals(
        [
          ["id": "a", "tag": "x"], ["id": "b", "tag": "x"], ["id": "b", "tag": "y"], ["id": "a", "tag": "y"],
        ],
        in: "notes") == [])
    #expect(try values("SELECT name FROM tags ORDER BY name") == ["x", "y"])
  }

  @Test func aRowDoesNotReplaceAnotherOne() throws {
    try database.run(
      "CREATE TABLE notes (id TEXT PRIMARY KEY, slug TEXT UNIQUE ON CONFLICT REPLACE); "
        + "INSERT INTO notes VALUES ('a', 'home')")
    #expect(try refusals([["id": "b", "slug": "home"]], in: "notes").count == 1)
    #expect(try values("SELECT id FROM notes") == ["a"])
  }

  @Test(arguments: [
    "SELECT RAISE(FAIL, 'no')", "INSERT OR FAIL INTO logs VALUES (1), (1)",
  ])
  func aRowThatFailsIsUndone(statement: String) throws {
    try database.run(
      "CREATE TABLE logs (n UNIQUE); CREATE TABLE notes (id TEXT PRIMARY KEY); INSERT INTO notes VALUES ('a');"
        + "CREATE TRIGGER added AFTER INSERT ON notes WHEN new.id = 'bad' BEGIN \(statement); END")
    #expect(try refusals([["id": "bad"], ["id": "good"]], in: "notes").count == 1)
    #expect(try values("SELECT id FROM notes ORDER BY id") == ["a", "good"])
    #expect(try values("SELECT n FROM logs") == [])
  }

  /// It applies to the statements of a trigger too.
  @Test func theRuleOfATableMayRollBack() throws {
    try database.run(
      "CREATE TABLE logs (n UNIQUE ON CONFLICT ROLLBACK); CREATE TABLE notes (id TEXT PRIMARY KEY);"
        + "CREATE TRIGGER added AFTER INSERT ON notes BEGIN INSERT INTO logs VALUES (1); END")
    #expect(try TableWriter.canRollBack(in: database))
    #expect(throws: StoreError.self) { try refusals([["id": "a"], ["id": "b"]], in: "notes") }
    #expect(try values("SELECT id FROM notes") == [])
  }

  // MARK: Nested values

  @Test func nestedValuesAreTexts() throws {
    try database.run("CREATE TABLE notes (id TEXT PRIMARY KEY, a TEXT, b TEXT NOT NULL)")
    #expect(
      try refusals(
        [
          ["id": "1", "a": true, "b": .null], ["id": "2", "a": .null, "b": false],
          ["id": "3", "a": 1, "b": "true"],
        ], in: "notes", nested: ["a", "b"]) == [])
    #expect(try values("SELECT a FROM notes ORDER BY id") == ["true", "NULL", "1"])
    #expect(try values("SELECT b FROM notes ORDER BY id") == ["null", "false", "\"true\""])
    var table = try Table("notes", in: database)
    try table.setForm(.nested, of: ["a", "b"])
    var lines: [String] = []
    try TableReader(table, in: database).forEachRow { row in
      lines.append(String(decoding: Array(copying: row), as: UTF8.self))
    }
    #expect(lines.first == #"{"id":"1","a":true,"b":null}"#)
  }

  // MARK: Deletions

  /// The items are deleted by a trigger of the lists, or of a table that the lists' trigger changes.
  @Test(arguments: [
    "CREATE TRIGGER gone AFTER DELETE ON lists BEGIN DELETE FROM Items WHERE list = old.id; END",
    "CREATE TABLE logs (list); CREATE TRIGGER gone BEFORE DELETE ON lists BEGIN INSERT INTO logs VALUES (old.id); END;"
      + "CREATE TRIGGER noted AFTER INSERT ON logs BEGIN DELETE FROM items WHERE list = new.list; END",
  ])
  func aTriggerDoesNotDeleteRowsOfOtherTables(trigger: String) throws {
    try database.run(
      "CREATE TABLE lists (id TEXT PRIMARY KEY); CREATE TABLE items (id TEXT PRIMARY KEY, list TEXT); \(trigger);"
        + "INSERT INTO lists VALUES ('a'), ('b'); INSERT INTO items VALUES ('i', 'a')")
    let others = ["items", "lists"]
    #expect(
      try refusals([deletion("a"), deletion("b")], in: "lists", keeping: others)
        == ["not deleted: a trigger or a cascade would also delete rows of 'items'"])
    #expect(try values("SELECT id FROM lists") == ["a"])
    #expect(try values("SELECT id FROM items") == ["i"])
    #expect(try refusals([deletion("i")], in: "items", keeping: others) == [])
    #expect(try refusals([deletion("a")], in: "lists", keeping: others) == [])
    #expect(try values("SELECT id FROM lists") == [])
  }

  /// A table that is not synced belongs to the app.
  @Test func aTriggerDeletesRowsOfTablesThatAreNotBound() throws {
    try database.run(
      "CREATE TABLE lists (id TEXT PRIMARY KEY); CREATE TABLE items (list TEXT);"
        + "CREATE TRIGGER gone AFTER DELETE ON lists BEGIN DELETE FROM items WHERE list = old.id; END;"
        + "INSERT INTO lists VALUES ('a'); INSERT INTO items VALUES ('a')")
    #expect(try refusals([deletion("a")], in: "lists", keeping: ["lists"]) == [])
    #expect(try values("SELECT list FROM items") == [])
  }

  /// The children are deleted first, and then their parent.
  @Test func aTriggerDoesNotDeleteOtherRowsOfItsTable() throws {
    try database.run(
      "CREATE TABLE tree (id TEXT PRIMARY KEY, parent TEXT);"
        + "CREATE TRIGGER gone AFTER DELETE ON tree BEGIN DELETE FROM tree WHERE parent = old.id; END;"
        + "INSERT INTO tree VALUES ('a', NULL), ('b', 'a'), ('c', NULL), ('d', 'c')")
    #expect(
      try refusals([deletion("a"), deletion("b"), deletion("c")], in: "tree", keeping: ["tree"]).count == 1)
    #expect(try values("SELECT id FROM tree ORDER BY id") == ["c", "d"])
  }

  @Test func aRowThatRefersToItselfIsDeleted() throws {
    try database.run(
      "CREATE TABLE tree (id TEXT PRIMARY KEY, parent TEXT REFERENCES tree ON DELETE CASCADE);"
        + "INSERT INTO tree VALUES ('r', 'r'), ('s', 's'), ('t', 's')")
    #expect(
      try refusals([deletion("r"), deletion("s")], in: "tree", keeping: ["tree"])
        == ["not deleted: rows of 'tree' refer to it, and would be deleted with it"])
    #expect(try values("SELECT id FROM tree ORDER BY id") == ["s", "t"])
  }

  /// The rows that no longer refer to the deleted row keep their values; the others are deleted with it.
  @Test(
    arguments: [
      [["id": "b", "parent": .null]],
      [["id": "b", "parent": "z"], ["id": "z", "note": "x"]],
    ] as [[JSONValue]])
  func aCascadeWaitsForTheRowsThatLaterLinesChange(lines: [JSONValue]) throws {
    try database.run(
      "CREATE TABLE tree (id TEXT PRIMARY KEY, parent TEXT REFERENCES tree ON DELETE CASCADE, note TEXT);"
        + "INSERT INTO tree VALUES ('a', NULL, 'x'), ('b', 'a', 'x'), ('c', 'b', 'x'), ('d', 'a', 'x')")
    #expect(try refusals([deletion("a")] + lines, in: "tree") == [])
    #expect(try values("SELECT id || note FROM tree WHERE id < 'e' ORDER BY id") == ["bx", "cx"])
  }

  /// Parents come first; each row is deleted by its own line.
  @Test func theRowsOfACascadeAreDeletedFromTheLastOneOn() throws {
    try database.run(
      "CREATE TABLE tree (id TEXT PRIMARY KEY, parent TEXT REFERENCES tree ON DELETE CASCADE);"
        + "CREATE TABLE logs (id);"
        + "CREATE TRIGGER gone BEFORE DELETE ON tree BEGIN INSERT INTO logs VALUES (old.id); END;"
        + "INSERT INTO tree VALUES ('a', NULL), ('b', 'a'), ('c', 'b')")
    #expect(try refusals([deletion("a"), deletion("b"), deletion("c")], in: "tree") == [])
    #expect(try values("SELECT id FROM logs ORDER BY rowid") == ["c", "b", "a"])
  }

  @Test func aRowThatATriggerIgnoresIsRefused() throws {
    try database.run(
      "CREATE TABLE logs (id); CREATE TABLE notes (id TEXT PRIMARY KEY);"
        + "CREATE TRIGGER never BEFORE INSERT ON notes WHEN new.id = 'bad' "
        + "BEGIN INSERT INTO logs VALUES (new.id); SELECT RAISE(IGNORE); END")
    #expect(
      try refusals([["id": "bad"], ["id": "good"]], in: "notes")
        == ["the table refuses the row: a trigger ignores the row"])
    #expect(try values("SELECT id FROM notes") == ["good"])
    #expect(try values("SELECT id FROM logs") == [])
  }

  @Test func anEditOrDeletionThatATriggerIgnoresIsRefused() throws {
    try database.run(
      "CREATE TABLE notes (id TEXT PRIMARY KEY, v TEXT);"
        + "INSERT INTO notes VALUES ('bad', 'x'), ('good', 'x');"
        + "CREATE TRIGGER kept BEFORE UPDATE ON notes WHEN old.id = 'bad' BEGIN SELECT RAISE(IGNORE); END;"
        + "CREATE TRIGGER stays BEFORE DELETE ON notes WHEN old.id = 'bad' BEGIN SELECT RAISE(IGNORE); END")
    let refusal = "the table refuses the row: a trigger ignores the row"
    #expect(
      try refusals(
        [["id": "bad", "v": "y"], ["id": "good", "v": "y"], ["id": "bad", "v": "x"]], in: "notes")
        == [refusal])
    #expect(try values("SELECT v FROM notes ORDER BY id") == ["x", "y"])
    #expect(try refusals([deletion("bad"), deletion("good"), deletion("none")], in: "notes") == [refusal])
    #expect(try values("SELECT id FROM notes") == ["bad"])
  }

  /// The app marks rows as deleted, and writes texts in its own form; it accepts the same lines again.
  @Test(arguments: [[], ["notes"]])
  func aTriggerMayChangeTheRowInAnotherWay(others: [String]) throws {
    try database.run(
      "CREATE TABLE notes (id TEXT PRIMARY KEY, v TEXT, gone INTEGER DEFAULT 0) WITHOUT ROWID;"
        + "INSERT INTO notes (id, v) VALUES ('a', 'x'), ('b', 'x');"
        + "CREATE TRIGGER kept BEFORE UPDATE OF v ON notes "
        + "BEGIN UPDATE notes SET v = upper(new.v) WHERE id = old.id; SELECT RAISE(IGNORE); END;"
        + "CREATE TRIGGER marked BEFORE DELETE ON notes "
        + "BEGIN UPDATE notes SET gone = 1 WHERE id = old.id; SELECT RAISE(IGNORE); END")
    for _ in 1...2 {
      #expect(try refusals([deletion("a"), ["id": "b", "v": "y"]], in: "notes", keeping: others) == [])
      #expect(try values("SELECT id || v || gone FROM notes ORDER BY id") == ["ax1", "bY0"])
    }
  }

  @Test func aTriggerMayChangeTheRowThroughAView() throws {
    try database.run(
      "PRAGMA encoding = 'UTF-16'; CREATE TABLE notes (id TEXT PRIMARY KEY, gone INTEGER, size REAL);"
        + "INSERT INTO notes VALUES ('ä', 0, 0.5); CREATE VIEW shown AS SELECT * FROM notes;"
        + "CREATE TRIGGER through INSTEAD OF DELETE ON shown "
        + "BEGIN UPDATE notes SET gone = 1 WHERE id = old.id; END;"
        + "CREATE TRIGGER marked BEFORE DELETE ON notes "
        + "BEGIN DELETE FROM shown WHERE id = old.id; SELECT RAISE(IGNORE); END")
    #expect(try refusals([deletion("ä"), deletion("ä")], in: "notes") == [])
    #expect(try values("SELECT id || gone FROM notes") == ["ä1"])
  }

  /// What a trigger notes in another table is undone; triggers for other rows of the table do not count.
  @Test(arguments: [[], ["notes"]])
  func aTriggerThatNotesARefusalElsewhereRefuses(others: [String]) throws {
    try database.run(
      "CREATE TABLE logs (id); CREATE TABLE notes (id TEXT PRIMARY KEY, v TEXT, stamp INTEGER DEFAULT 0);"
        + "INSERT INTO notes (id, v) VALUES ('bad', 'x'), ('good', 'x');"
        + "CREATE TRIGGER kept BEFORE UPDATE OF v ON notes WHEN old.id = 'bad' "
        + "BEGIN INSERT INTO logs VALUES (old.id); SELECT RAISE(IGNORE); END;"
        + "CREATE TRIGGER stays BEFORE DELETE ON notes WHEN old.id = 'bad' "
        + "BEGIN INSERT INTO logs VALUES (old.id); SELECT RAISE(IGNORE); END;"
        + "CREATE TRIGGER stamped BEFORE UPDATE OF v ON notes WHEN old.id <> 'bad' BEGIN "
        + "UPDATE notes SET v = new.v, stamp = stamp + 1 WHERE id = old.id; SELECT RAISE(IGNORE); END")
    let refusal = "the table refuses the row: a trigger ignores the row"
    #expect(
      try refusals(
        [["id": "bad", "v": "y"], deletion("bad"), ["id": "good", "v": "y"]], in: "notes", keeping: others)
        == [refusal, refusal])
    #expect(try values("SELECT id || v || stamp FROM notes ORDER BY id") == ["badx0", "goody1"])
    #expect(try values("SELECT id FROM logs") == [])
  }

  /// A trigger may count its refusals in another row of the table.
  @Test(arguments: [[], ["notes"]])
  func aTriggerThatNotesARefusalInAnotherRowRefuses(others: [String]) throws {
    try database.run(
      "CREATE TABLE notes (id TEXT COLLATE NOCASE PRIMARY KEY, v TEXT, n INTEGER DEFAULT 0);"
        + "INSERT INTO notes (id, v) VALUES ('bad', 'x'), ('count', 'x'), ('kept', 'x');"
        + "CREATE TRIGGER counted BEFORE UPDATE OF v ON notes WHEN old.id = 'bad' "
        + "BEGIN UPDATE notes SET n = n + 1 WHERE id = 'count'; SELECT RAISE(IGNORE); END;"
        + "CREATE TRIGGER stays BEFORE DELETE ON notes WHEN old.id = 'bad' "
        + "BEGIN UPDATE notes SET n = n + 1 WHERE id = 'count'; SELECT RAISE(IGNORE); END;"
        + "CREATE TRIGGER marked BEFORE DELETE ON notes WHEN old.id = 'kept' "
        + "BEGIN UPDATE notes SET n = 7 WHERE id = 'kept'; SELECT RAISE(IGNORE); END")
    let refusal = "the table refuses the row: a trigger ignores the row"
    for _ in 1...2 {
      #expect(
        try refusals(
          [["id": "bad", "v": "y"], deletion("bad"), deletion("KEPT")], in: "notes", keeping: others)
          == [refusal, refusal])
      #expect(try values("SELECT id || v || n FROM notes ORDER BY id") == ["badx0", "countx0", "keptx7"])
    }
  }

  // MARK: Columns

  /// A default that is a name is a text, and the comment in an expression ends with it.
  @Test func anEmptiedColumnGetsItsDefault() throws {
    try database.run(
      """
      CREATE TABLE notes (
        id TEXT PRIMARY KEY, title TEXT, a TEXT DEFAULT "title", b TEXT DEFAULT pending,
        c TEXT DEFAULT `it's`, d TEXT DEFAULT ('x' -- note
        ), e INTEGER DEFAULT true, f INTEGER DEFAULT -5, g TEXT DEFAULT (lower('L')), h TEXT DEFAULT null,
        i TEXT DEFAULT ("lower"('L'))
      );
      INSERT INTO notes VALUES ('1', 'T', '', '', '', '', '', '', '', '', '');
      """)
    let table = try Table("notes", in: database)
    let columns = table.columns.map(\.name).filter { $0 != "title" }
    let line = try #require(try RowLine(Array(#"{"id":"1"}"#.utf8).span, of: table, emptying: columns))
    _ = try database.transaction { try TableWriter(table, in: database, isSelective: true).write(line) }
    #expect(
      try values("SELECT title || a || b || c || d || e || f || g || i FROM notes")
        == ["Ttitlependingit'sx1-5ll"])
    #expect(try values("SELECT h FROM notes") == ["NULL"])
    let defaults: [String: JSONValue] = [
      "a": "title", "b": "pending", "c": "it's", "d": "x", "e": 1, "f": -5,
    ]
    #expect(try table.defaults() == defaults)
  }

  /// An index that distinguishes more values than its column does not make the column's values unique.
  @Test(arguments: [
    ("id TEXT COLLATE NOCASE PRIMARY KEY", "", true), ("id INTEGER COLLATE NOCASE PRIMARY KEY", "", true),
    ("id TEXT", "COLLATE NOCASE", true), ("id TEXT COLLATE NOCASE", "", true),
    ("id TEXT COLLATE NOCASE", "COLLATE BINARY", false), ("id TEXT COLLATE RTRIM", "COLLATE NOCASE", false),
  ])
  func theComparisonOfAKeyIsThatOfItsColumn(column: String, collation: String, isUnique: Bool) throws {
    try database.run("CREATE TABLE notes (\(column), note TEXT)")
    if !column.contains("PRIMARY") {
      try database.run("CREATE UNIQUE INDEX notes_id ON notes (id \(collation))")
    }
    var table = try Table("notes", in: database)
    try table.setKey(["id"])
    #expect(try table.sharableKey(in: database).isEmpty == isUnique)
  }

  // MARK: Foreign keys

  @Test func aRowThatRefersToItselfIsNotMissing() throws {
    try database.run(
      "CREATE TABLE lists (id TEXT PRIMARY KEY);"
        + "CREATE TABLE items (id TEXT PRIMARY KEY, list TEXT REFERENCES lists, own TEXT REFERENCES items (ID))"
    )
    #expect(
      try refusals([["id": "o", "own": "o", "list": "x"]], in: "items")
        == [
          "the table refuses the row: FOREIGN KEY constraint failed: 'lists' has no row {\"id\":\"x\"}"
        ])
  }

  /// The foreign keys are read once, and not for each refused row.
  @Test func theForeignKeysAreReadOnce() throws {
    let child = "(id TEXT PRIMARY KEY, list TEXT REFERENCES lists)"
    try database.run(
      "CREATE TABLE lists (id TEXT PRIMARY KEY); CREATE TABLE items \(child); INSERT INTO lists VALUES ('a');"
        + "INSERT INTO items VALUES ('i', 'a')")
    let table = try Table("lists", in: database)
    let writer = try TableWriter(table, in: database, isSelective: true)
    let line = try #require(try RowLine(Array(deletion("a").text.utf8).span, of: table))
    #expect(writer.explained(.refused(""), of: line) == .isReferred(by: "items"))
    try database.run("CREATE TABLE early \(child); INSERT INTO early VALUES ('e', 'a')")
    #expect(writer.explained(.refused(""), of: line) == .isReferred(by: "items"))
  }
}
