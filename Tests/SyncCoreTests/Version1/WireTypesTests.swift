import JSONLines
@testable import SyncCore
import Testing

/// The type information stored beside plain JSON.
@Suite struct WireTypesTests {
  private static func upsert(_ entity: String, _ id: String, _ fields: [(String, String)]) -> String {
    let members = fields.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",")
    return
      #"{"entityName":"\#(entity)","identity":{"key":"id","value":{"type":"string","stringValue":"\#(id)"}},"#
      + #""fields":{\#(members)},"modifiedAt":"2026-01-01T00:00:00Z","version":1}"#
  }

  private static func delta(_ upserts: String...) -> String {
    #"{"upserts":[\#(upserts.joined(separator: ","))],"deletes":[],"newTokenData":""}"#
  }

  private static func int16(_ number: Int) -> String { #"{"type":"int16","int16Value":\#(number)}"# }
  private static func int32(_ number: Int) -> String { #"{"type":"int32","int32Value":\#(number)}"# }
  private static func text(_ tag: String) -> String {
    #"{"type":"\#(tag)","\#(tag)Value":"2026-01-01T00:00:00Z"}"#
  }

  private static func learnt(_ deltas: String...) throws -> WireTypes {
    var types = WireTypes()
    for delta in deltas { _ = try WireTrip.unpack(delta, &types) }
    return types
  }

  private static func file(_ types: WireTypes) -> String {
    var bytes: [UInt8] = []
    types.append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func firstTypeIsTheMembersOthersAreExceptions() throws {
    let types = try Self.learnt(
      Self.delta(
        Self.upsert("E", "1", [("sys", Self.int16(1)), ("at", Self.text("date"))]),
        Self.upsert("E", "2", [("sys", Self.int32(1)), ("at", Self.text("date"))]),
        Self.upsert("A", "1", [("sys", Self.int32(1)), ("at", Self.text("string"))])))
    #expect(
      Self.file(types) == #"""
        {"entities":{
        "A":{"identity":{"id":"string"},"fields":{"at":"string","sys":"int32"}},
        "E":{"identity":{"id":"string"},"fields":{"at":"date","sys":"int16"}}
        },"exceptions":{
        "[\"E\",{\"id\":\"2\"}]":{"fields":{"sys":"int32"}}
        }}

        """#)
  }

  /// Two sessions learn at the same time, and neither removes the types that the other has learnt.
  @Test func whatOthersHaveLearntIsAdded() throws {
    var types = try Self.learnt(
      Self.delta(
        Self.upsert("E", "1", [("sys", Self.int16(1))]), Self.upsert("E", "2", [("sys", Self.int32(1))])))
    let own = types
    types.addMissing(
      of: try Self.learnt(
        Self.delta(
          Self.upsert("E", "1", [("sys", Self.int32(1)), ("at", Self.text("date"))]),
          Self.upsert("A", "1", [("at", Self.text("date"))]))),
      since: WireTypes())
    #expect(types.entities[Array("E".utf8)]?.fields == [Array("sys".utf8): .int16, Array("at".utf8): .date])
    #expect(types.entities[Array("A".utf8)]?.fields == [Array("at".utf8): .date])
    #expect(types.exceptions == own.exceptions)
  }

  /// Exceptions of one record are added one by one, and those that were forgotten here stay forgotten.
  @Test func exceptionsAreAddedByMember() throws {
    func record(_ id: String, _ fields: String) -> String {
      #""[\"E\",{\"id\":\"\#(id)\"}]":{"fields":{\#(fields)}}"#
    }
    func types(_ records: String...) throws -> WireTypes {
      let exceptions = records.joined(separator: ",")
      return try WireTypes(parsing: Array(#"{"exceptions":{\#(exceptions)}}"#.utf8).span)
    }
    let old = try types(record("2", #""a":"int16""#), record("3", #""a":"int16""#))
    var own = try types(record("3", #""a":"int16","b":"int32""#))
    own.addMissing(
      of: try types(record("2", #""a":"int16""#), record("3", #""a":"double","c":"date""#)), since: old)
    #expect(try own == types(record("3", #""a":"int16","b":"int32","c":"date""#)))
    own.addMissing(of: try types(record("2", #""a":"int32""#)), since: old)
    #expect(own.exceptions.count == 2, "another exception than the forgotten one")
  }

  @Test func laterDeltaChangesOnlyItsOwnRecords() throws {
    let first = Self.delta(
      Self.upsert("E", "1", [("sys", Self.int16(1))]), Self.upsert("E", "2", [("sys", Self.int32(1))]),
      Self.upsert("E", "3", [("sys", Self.int32(1))]))
    let second = Self.delta(
      Self.upsert("E", "1", [("sys", Self.int32(2))]), Self.upsert("E", "2", [("sys", Self.int16(2))]))
    var types = WireTypes()
    let old = try WireTrip.unpack(first, &types)
    let new = try WireTrip.unpack(second, &types)
    #expect(WireTrip.isEqual(try WireTrip.pack(new, types), second))
    let third = try WireTrip.pack([old[2]], types)
    #expect(WireTrip.isEqual(third, Self.delta(Self.upsert("E", "3", [("sys", Self.int32(1))]))))
  }

  @Test func exceptionThatIsNoneAnyMoreGoes() throws {
    let types = try Self.learnt(
      Self.delta(
        Self.upsert("E", "1", [("sys", Self.int16(1))]), Self.upsert("E", "2", [("sys", Self.int32(1))])),
      Self.delta(Self.upsert("E", "2", [("sys", Self.int16(1))])))
    #expect(types.exceptions.isEmpty)
  }

  /// Only the type distinguishes them, so packing could not.
  @Test func sameRecordWithTwoTypesIsAConflict() throws {
    let delta = Self.delta(
      Self.upsert("E", "1", [("sys", Self.int16(1))]), Self.upsert("E", "1", [("sys", Self.int32(1))]))
    #expect(throws: WireFailure(.conflictingTypes(.int16, .int32), at: ["upserts", "0", "fields", "sys"])) {
      try Self.learnt(delta)
    }
    let key = #"{"key":"k","value":{"type":"int16","int16Value":1}}"#
    let delete = #"{"entityName":"E","identity":\#(key),"deletedAt":"2026-01-01T00:00:00Z"}"#
    let two = delete + "," + delete.replacing("int16", with: "int32")
    #expect(
      throws: WireFailure(.conflictingTypes(.int16, .int32), at: ["deletes", "0", "identity", "value"])
    ) {
      try Self.learnt(#"{"upserts":[],"deletes":[\#(two)],"newTokenData":""}"#)
    }
  }

  @Test func knownTypeCountsForItsOwnFormOnly() throws {
    let types = try WireTypes(
      parsing: Array(#"{"entities":{"":{"fields":{"a":"date","b":"int16"}}}}"#.utf8).span)
    let packed = try WireTrip.pack(
      [
        #"{"id":"1","modifiedAt":0,"a":1,"b":"x","c":null}"#, #"{"id":"2","modifiedAt":0,"a":null,"b":true}"#,
      ], types)
    #expect(packed.contains(#""a":{"type":"int64","int64Value":1},"b":{"type":"string","stringValue":"x"}"#))
    #expect(packed.contains(#""a":{"type":"null"},"b":{"type":"bool","boolValue":true}"#))
  }

  /// Names are compared byte by byte.
  @Test func namesThatLookTheSameAreDifferent() throws {
    let delta = Self.delta(
      Self.upsert("E", "1", [("é", Self.int16(1)), ("e\u{301}", Self.int32(1))]))
    let types = try Self.learnt(delta)
    #expect(types.entities.values.first?.fields.count == 3 - 1)
    #expect(types.exceptions.isEmpty)
  }

  @Test(arguments: [
    ("", "unexpectedEnd", ""), ("[]", "notAnObject", ""), (#"{"entity":{}}"#, "unknownMember", ""),
    (#"{"entities":{},"entities":{}}"#, "duplicateMember", ""),
    (#"{"entities":[]}"#, "notAnObject", "entities"),
    (#"{"entities":{"E":{"field":{}}}}"#, "unknownMember", "entities/E"),
    (#"{"entities":{"E/F":{"fields":{"a":"int8"}}}}"#, "unknownTag", "entities/E~1F/fields/a"),
    (#"{"entities":{"E":{"identity":{"a":"null"}}}}"#, "unknownTag", "entities/E/identity/a"),
    (#"{"entities":{"E":{"fields":{"a":"bool"}}}}"#, "unknownTag", "entities/E/fields/a"),
    (#"{"entities":{"E":{"fields":{"a":1}}}}"#, "wrongType", "entities/E/fields/a"),
    (#"{"entities":{"E":{"fields":{"a":"date","\u0061":"date"}}}}"#, "duplicateMember", "entities/E/fields"),
    (#"{"exceptions":{"E":{}}}"#, "noKey", "exceptions/E"),
    (#"{"exceptions":{"[\"E\", {}]":{}}}"#, "noKey", #"exceptions/["E", {}]"#),
  ])
  func wrongFileIsRefused(text: String, code: String, place: String) throws {
    let failure = try #require(throws: WireFailure.self) { try WireTypes(parsing: Array(text.utf8).span) }
    #expect(failure.code.rawValue == code)
    #expect(failure.message == (place.isEmpty ? "" : place + ": ") + failure.error.message)
  }

  /// A full file keeps its own types; the largest part of the others that fits is added.
  @Test func fullFileKeepsItsTypes() throws {
    let first = Self.delta(
      Self.upsert("E", "1", [("sys", Self.int16(1))]), Self.upsert("E", "5", [("sys", Self.int32(1))]))
    let second = Self.delta(
      Self.upsert("E", "2", [("sys", Self.int32(1))]), Self.upsert("E", "3", [("sys", Self.int32(1))]))
    let (old, all) = (try Self.learnt(first), try Self.learnt(first, second))
    let size = Self.file(all).utf8.count
    #expect(all.fitting(size, keeping: old) == all)
    let less = all.fitting(size - 1, keeping: old)
    #expect(Self.file(less).utf8.count < size)
    #expect(less.entities == all.entities)
    #expect(
      less.exceptions.keys.map { String(decoding: $0, as: UTF8.self) }.sorted() == [
        #"["E",{"id":"2"}]"#, #"["E",{"id":"5"}]"#,
      ])
    #expect(all.fitting(1, keeping: old) == old)
    #expect(all.fitting(size, keeping: WireTypes()) == all)
    #expect(all.fitting(size - 1, keeping: WireTypes()) != all)
  }

  @Test func emptyFileOfTypesKnowsNothing() throws {
    #expect(try WireTypes(parsing: Array("{}".utf8).span) == WireTypes())
    #expect(Self.file(WireTypes()) == "{\"entities\":{},\"exceptions\":{}}\n")
  }
}
