import JSONLines
import SyncCore
import Testing

@Suite struct RecordShapeTests {
  /// Any order of `--key` options makes the same keys.
  @Test func orderOfTheKeysDoesNotMatter() throws {
    let line = Array(#"{"x":{"b":1},"é":2,"a":3,"Z":4}"#.utf8)
    let pointers = ["/x/b", "/é", "/a", "/Z"]
    var keys: Set<[UInt8]> = []
    for rotation in pointers.indices {
      var shape = RecordShape()
      shape.keys = (pointers[rotation...] + pointers[..<rotation]).map { JSONPointer($0)! }
      var key: [UInt8] = []
      var reader = LineReader(shape)
      _ = try reader.read(line.span, key: &key)
      keys.insert(key)
    }
    #expect(keys.map { String(decoding: $0, as: UTF8.self) } == [#"["",{"Z":4,"a":3,"b":1,"é":2}]"#])
  }

  /// A change line has the same key as the record if its identity has the members that `--key` selects.
  @Test func recordAndChangeLineHaveOneKey() throws {
    var shape = RecordShape()
    shape.keys = [JSONPointer("/meta/uuid")!]
    shape.entityName = "Task"
    var reader = LineReader(shape)
    var (record, change): ([UInt8], [UInt8]) = ([], [])
    _ = try reader.read(Array(#"{"meta":{"uuid":1.0}}"#.utf8).span, key: &record)
    _ = try reader.read(Array(#"{"identity":{"uuid":1},"entityName":"Task"}"#.utf8).span, key: &change)
    #expect(record == change)
  }

  /// Databases write booleans as numbers, and some programs write these with a point or an exponent.
  @Test(arguments: [
    ("0", false), ("0.0", false), ("-0", false), ("0e0", false), ("-0.00E+9", false), ("1", true),
    ("1.0", true),
    ("10e-1", true), ("0.1E1", true),
  ])
  func aMarkIsComparedByItsValue(mark: String, isTombstone: Bool) throws {
    var shape = RecordShape()
    shape.tombstone = JSONPointer("/gone")
    var reader = LineReader(shape)
    var key: [UInt8] = []
    let line = #"{"id":1,"gone":\#(mark),"updatedAt":1746172800}"#
    let change = try reader.read(Array(line.utf8).span, key: &key)
    #expect(change.isTombstone == isTombstone)
    #expect(change.clock == Instant(seconds: 1_746_172_800))
  }

  /// Any other number is a time.
  @Test(arguments: [("10.0", 10), ("100e-1", 10), ("1746172800", 1_746_172_800), ("2.0", 2)])
  func anyOtherNumberIsTheTimeOfTheDeletion(mark: String, seconds: Int64) throws {
    var shape = RecordShape()
    shape.tombstone = JSONPointer("/gone")
    var reader = LineReader(shape)
    var key: [UInt8] = []
    let change = try reader.read(Array(#"{"id":1,"gone":\#(mark),"updatedAt":5}"#.utf8).span, key: &key)
    #expect(change.isTombstone && change.clock == Instant(seconds: seconds))
  }
}
