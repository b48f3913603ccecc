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
}
