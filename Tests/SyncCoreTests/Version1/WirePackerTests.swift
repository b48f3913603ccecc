import JSONLines
@testable import SyncCore
import Testing

/// Lines on their way into a delta.
@Suite struct WirePackerTests {
  private static let record = #"{"id":"1","modifiedAt":"2026-01-01T00:00:00Z"}"#
  private static let tombstone = #"{"entityName":"E","identity":{"k":7},"deletedAt":"2026-01-01T00:00:00Z"}"#

  private static func keys(of packed: String, in array: String) throws -> [String?] {
    let delta = try JSONValue(parsing: Array(packed.utf8).span)
    return delta[array]?.arrayValue?.map { entry in
      let value = entry["identity"]?["value"]
      return value?["stringValue"]?.stringValue ?? value?["int64Value"]?.intValue.map(String.init)
    } ?? []
  }

  @Test func nothingIsAnEmptyDelta() throws {
    #expect(try WireTrip.pack([]) == #"{"upserts":[],"deletes":[],"newTokenData":""}"#)
  }

  @Test func upsertsAndDeletesKeepTheirOrder() throws {
    let ids = ["3", "1", "2", "4"]
    let lines = ids.flatMap {
      [Self.record.replacing("1\"", with: "\($0)\""), Self.tombstone.replacing("7", with: $0)]
    }
    let packed = try WireTrip.pack(lines)
    #expect(try Self.keys(of: packed, in: "upserts") == ids)
    #expect(try Self.keys(of: packed, in: "deletes") == ids)
  }

  /// The other side applies deletes before upserts, so the wrong one of two lines of one record could win.
  @Test func twoLinesOfOneRecordAreRefused() throws {
    var packer = WirePacker(RecordShape(), types: nil, isLossy: false)
    try packer.add(Array(Self.record.utf8).span, number: 4)
    let before = WireTrip.delta(of: packer)
    #expect(throws: WireFailure(.duplicateKey(line: 4))) {
      try packer.add(Array(Self.record.utf8).span, number: 5)
    }
    #expect(WireTrip.delta(of: packer) == before)
  }

  /// Two spellings of a UUID are one record, and each line's own spelling is sent.
  @Test func identitiesKeepTheirSpelling() throws {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(#"{"entities":{"*":{"identity":"uuid"}}}"#.utf8).span)
    var packer = WirePacker(shape, types: nil, isLossy: false)
    let id = "6F2C9A4E-12AB-4CDE-8F01-23456789ABCD"
    let line = Self.record.replacing("\"1\"", with: "\"\(id)\"")
    try packer.add(Array(line.utf8).span, number: 1)
    #expect(throws: WireFailure(.duplicateKey(line: 1))) {
      try packer.add(
        Array(line.lowercased().replacing("modifiedat", with: "modifiedAt").utf8).span, number: 2)
    }
    #expect(try Self.keys(of: WireTrip.delta(of: packer), in: "upserts") == [id])
  }

  /// Both have the same double, and each error names its own fault, not a date.
  @Test func identitiesOfOneDoubleAreNotRespelled() throws {
    let types = try WireTypes(parsing: Array(#"{"entities":{"E":{"identity":{"k":"double"}}}}"#.utf8).span)
    for isLossy in [false, true] {
      var packer = WirePacker(RecordShape(), types: types, isLossy: isLossy)
      let short = Self.tombstone.replacing("7", with: "0.1")
      try packer.add(Array(short.utf8).span, number: 1)
      let before = WireTrip.delta(of: packer)
      let long = Self.tombstone.replacing("7", with: "0.10000000000000001")
      let failure = #expect(throws: WireFailure(.inexactNumber(nearest: "0.1"), at: ["identity", "k"])) {
        try packer.add(Array(long.utf8).span, number: 2)
      }
      #expect(failure?.remedy == nil)
      #expect(WireTrip.delta(of: packer) == before)
    }
  }

  /// Another spelling of the same number is the same key.
  @Test(arguments: [("0.1", "0.1"), ("1e-1", "0.1"), ("0.100", "0.1"), ("120", "120.0"), ("1e20", "1e+20")])
  func anExactIdentityIsADouble(spelling: String, packed: String) throws {
    let types = try WireTypes(parsing: Array(#"{"entities":{"E":{"identity":{"k":"double"}}}}"#.utf8).span)
    let delta = try WireTrip.pack([Self.tombstone.replacing("7", with: spelling)], types)
    #expect(delta.contains(#""value":{"type":"double","doubleValue":\#(packed)}"#), "\(delta)")
  }

  @Test(arguments: [
    (["QQ==", "QUI="], "QUI="), (["QUI"], "QUI="), ([" QQ == "], "QQ=="), (["QQ==", ""], ""),
    (["\\u0051Q=="], "QQ=="),
  ])
  func lastTokenIsTaken(tokens: [String], token: String) throws {
    let packed = try WireTrip.pack(tokens.map { #"{"newTokenData":"\#($0)"}"# } + [Self.record])
    #expect(packed.hasSuffix(#""newTokenData":"\#(token)"}"#))
  }

  @Test func withheldTokenIsEmpty() throws {
    var packer = WirePacker(RecordShape(), types: nil, isLossy: false)
    try packer.add(Array(#"{"newTokenData":"QQ=="}"#.utf8).span, number: 1)
    let answers = (packer.withholdToken(), packer.withholdToken())
    #expect(answers == (true, false))
    #expect(WireTrip.delta(of: packer).hasSuffix(#""newTokenData":""}"#))
  }

  @Test func plainRecordIsItsFields() throws {
    let line = #"{"entity":"T","id":5,"updatedAt":1767225600,"version":3,"done":false}"#
    let packed = try WireTrip.pack([line])
    let expected = #"""
      {"entityName":"T","identity":{"key":"id","value":{"type":"int64","int64Value":5}},
      "fields":{"entity":{"type":"string","stringValue":"T"},"id":{"type":"int64","int64Value":5},
      "updatedAt":{"type":"int64","int64Value":1767225600},"version":{"type":"int64","int64Value":3},
      "done":{"type":"bool","boolValue":false}},"modifiedAt":"2026-01-01T00:00:00Z","version":3}
      """#
    #expect(
      WireTrip.isEqual(packed, #"{"upserts":[\#(expected)],"deletes":[],"newTokenData":""}"#), "\(packed)")
  }

  @Test func shapeSaysWhereARecordKeepsThings() throws {
    var shape = RecordShape()
    shape.entityName = "N"
    shape.keys = [JSONPointer("/uid")!]
    shape.clock = JSONPointer("/at")
    shape.tombstone = JSONPointer("/gone")
    let packed = try WireTrip.pack(
      [#"{"uid":"a","at":"2026-01-01T01:00:00+01:00"}"#, #"{"uid":"b","at":0,"gone":true,"more":[1]}"#],
      shape: shape)
    #expect(packed.hasPrefix(#"{"upserts":[{"entityName":"N","identity":{"key":"uid","#))
    #expect(packed.contains(#""modifiedAt":"2026-01-01T00:00:00Z","version":1}]"#))
    #expect(
      packed.contains(#""value":{"type":"string","stringValue":"b"}},"deletedAt":"1970-01-01T00:00:00Z"}]"#))
    let failure = #expect(throws: WireFailure.self) {
      try WireTrip.pack([#"{"uid":"a","at":"2026-01-01T00:00:00.5Z"}"#], shape: shape)
    }
    #expect(failure?.place == ["at"])
  }

  @Test func fieldsThatAreNullAreNone() throws {
    let line = #"{"entityName":"E","identity":{"k":1},"modifiedAt":0,"fields":null}"#
    #expect(try WireTrip.pack([line]) == WireTrip.pack([line.replacing("null", with: "{}")]))
  }

  /// A deletion needs no content of the record.
  @Test func tombstoneIsKeyAndClock() throws {
    let long =
      Self.tombstone.dropLast()
      + #","modifiedAt":"2025-01-01T00:00:00.5Z","updatedAt":0,"version":1.5,"fields":[{}]}"#
    #expect(try WireTrip.pack([String(long)]) == WireTrip.pack([Self.tombstone]))
  }

  @Test func badLineLeavesNothingBehind() throws {
    var packer = WirePacker(RecordShape(), types: nil, isLossy: true)
    try packer.add(Array(Self.record.utf8).span, number: 1)
    let before = (WireTrip.delta(of: packer), packer.losses)
    let bad = #"{"id":"2","modifiedAt":0.5,"a":[],"b":0.10000000000000000001,"c":1e999}"#
    #expect(throws: WireFailure(.outOfRange(.double), at: ["c"])) {
      try packer.add(Array(bad.utf8).span, number: 1)
    }
    #expect(WireTrip.delta(of: packer) == before.0)
    #expect(packer.losses == before.1)
  }

  @Test func lossesAreCounted() throws {
    var packer = WirePacker(RecordShape(), types: nil, isLossy: true)
    #expect(packer.losses.description == nil)
    let line =
      #"{"entityName":"E","identity":{"k":1},"modifiedAt":0.5,"x":1,"fields":{"a":[],"b":{},"c":1e20}}"#
    for number in 1...2 {
      let other = line.replacing(#""k":1"#, with: #""k":\#(number)"#)
      try packer.add(Array(other.utf8).span, number: number)
    }
    #expect(
      packer.losses.description
        == "times cut to whole seconds: 2, numbers rounded: 2, nested values left out: 4, other members left out: 2"
    )
    #expect(WireTrip.delta(of: packer).contains(#""fields":{"c":{"type":"double","doubleValue":1e+20}}"#))
  }
}
