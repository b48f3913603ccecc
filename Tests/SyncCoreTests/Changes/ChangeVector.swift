import JSONLines
import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/change-lines.json: the meaning of a line.
struct ChangeVector: Decodable, CustomTestStringConvertible {
  /// The values of the options with the same names.
  struct Shape: Decodable {
    var entityName: String?
    var key: [String]?
    var clock: String?
    var tombstone: String?
    var entity: String?
    /// The text of a profile.
    var profile: String?
  }

  var name: String
  var line: String
  var shape: Shape?
  var kind: String?
  /// Canonical JSON; null for a checkpoint.
  var key: String?
  /// In UTC; null if there is none.
  var clock: String?
  var tombstone: Bool
  /// In the line's spelling.
  var version: String?
  var error: String?

  var testDescription: String { name }

  static let all: [ChangeVector] = VectorFile.load("change-lines")

  var recordShape: RecordShape {
    var record = RecordShape()
    record.entityName = shape?.entityName ?? ""
    record.keys = (shape?.key ?? []).map { JSONPointer($0)! }
    record.clock = shape?.clock.map { JSONPointer($0)! }
    record.tombstone = shape?.tombstone.map { JSONPointer($0)! }
    record.entity = shape?.entity.map { JSONPointer($0)! }
    if let profile = shape?.profile { record.profile = try! Profile(parsing: Array(profile.utf8).span) }
    return record
  }
}

@Suite struct ChangeVectorTests {
  @Test(arguments: ChangeVector.all)
  func means(_ vector: ChangeVector) {
    var reader = LineReader(vector.recordShape)
    check(vector, &reader)
  }

  /// The meaning of a line does not depend on the lines that the reader has read before.
  @Test func oneReaderForAll() {
    let plain = ChangeVector.all.filter { $0.shape == nil }
    var reader = LineReader(RecordShape())
    for vector in plain + plain.reversed() { check(vector, &reader) }
  }

  private func check(_ vector: ChangeVector, _ reader: inout LineReader) {
    let text = Array(vector.line.utf8)
    var key: [UInt8] = []
    do throws(ChangeError) {
      let change = try reader.read(text.span, key: &key)
      #expect(vector.error == nil)
      #expect("\(change.kind)" == vector.kind)
      #expect(change.clock?.description == vector.clock)
      #expect(change.isTombstone == vector.tombstone)
      #expect(change.version.map { String(decoding: text[$0], as: UTF8.self) } == vector.version)
      #expect(key == Array((vector.key ?? "").utf8), "\(String(decoding: key, as: UTF8.self))")
    } catch {
      #expect(error.code.rawValue == vector.error)
    }
  }

  @Test func everyCodeOfALineHasAVector() {
    let codes = Set(ChangeVector.all.compactMap(\.error))
    let own = ["notAnObject", "noKey", "duplicateMember", "invalidClock", "invalidVersion", "missingMember"]
    #expect(codes.isSuperset(of: own))
    #expect(Set(ChangeVector.all.compactMap(\.kind)) == ["change", "record", "checkpoint"])
  }

  @Test(arguments: Tries.some(ChangeVector.all.filter { $0.line.utf8.count < 80 }))
  func everyFlippedByteIsReadOrRefused(_ vector: ChangeVector) {
    var reader = LineReader(vector.recordShape)
    let text = Array(vector.line.utf8)
    for index in text.indices {
      for byte in [text[index] ^ 1, text[index] ^ 0x20, text[index] ^ 0x80, 0, 34, 92, 123] {
        var damaged = text
        damaged[index] = byte
        var key: [UInt8] = []
        guard let change = try? reader.read(damaged.span, key: &key) else { continue }
        #expect(change.kind == .checkpoint || (try? JSONScanner.validate(key.span)) != nil)
      }
    }
  }

  /// The delete line of a line repeats its entity and identity unchanged, and so has its key.
  @Test(arguments: ChangeVector.all.filter { $0.key != nil })
  func keyMembersMakeTheSameKey(_ vector: ChangeVector) throws {
    var reader = LineReader(vector.recordShape)
    let text = Array(vector.line.utf8)
    var (first, line): ([UInt8], [UInt8]) = ([], [123])
    _ = try reader.read(text.span, key: &first)
    try reader.appendKeyMembers(of: text.span, to: &line)
    line += Array(",\"deletedAt\":1}".utf8)
    var second: [UInt8] = []
    let delete = try reader.read(line.span, key: &second)
    #expect(second == first && delete.kind == .change && delete.isTombstone)
  }
}
