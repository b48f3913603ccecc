import JSONLines
@testable import SyncCore
import Testing

/// The cases of Tests/Vectors/wire-delta.json.
@Suite struct WireVectorTests {
  private static let date = "2026-01-01T00:00:00Z"

  /// A delta with one upsert that has the value as its identity and as a field.
  private static func delta(_ typed: String) -> String {
    #"{"upserts":[{"entityName":"E","identity":{"key":"k","value":\#(typed)},"fields":{"v":\#(typed)},"#
      + #""modifiedAt":"\#(date)","version":1}],"deletes":[],"newTokenData":""}"#
  }

  private static func line(_ plain: String) -> String {
    #"{"entityName":"E","identity":{"k":\#(plain)},"modifiedAt":"\#(date)","version":1,"#
      + #""fields":{"v":\#(plain)}}"#
  }

  @Test(arguments: WireVectors.all.values)
  func valueComesBack(vector: WireVectors.Value) throws {
    var types = WireTypes()
    let lines = try WireTrip.unpack(Self.delta(vector.typed), &types)
    #expect(lines == [Self.line(vector.plain), #"{"newTokenData":""}"#])
    let packed = try WireTrip.pack(lines, types)
    #expect(WireTrip.isEqual(packed, Self.delta(vector.packed ?? vector.typed)), "\(packed)")
  }

  @Test(arguments: WireVectors.all.plain)
  func plainValueHasItsType(vector: WireVectors.Value) throws {
    let packed = try WireTrip.pack([Self.line(vector.plain)])
    #expect(WireTrip.isEqual(packed, Self.delta(vector.typed)), "\(packed)")
  }

  @Test(arguments: WireVectors.all.deltas)
  func deltaBecomesLines(vector: WireVectors.Delta) throws {
    var types = WireTypes()
    #expect(try WireTrip.unpack(vector.delta, &types) == vector.lines)
  }

  @Test(arguments: WireVectors.all.unpackErrors)
  func wrongDeltaIsRefused(vector: WireVectors.UnpackError) throws {
    var types = WireTypes()
    let failure = try #require(throws: WireFailure.self) { try WireTrip.unpack(vector.delta, &types) }
    #expect(failure.code.rawValue == vector.error)
    #expect(Self.place(failure) == vector.place)
    if vector.lossy {
      #expect(try WireTrip.unpack(vector.delta, &types, isLossy: true).last == #"{"newTokenData":""}"#)
    } else {
      #expect(throws: failure) { try WireTrip.unpack(vector.delta, &types, isLossy: true) }
    }
  }

  @Test(arguments: WireVectors.all.packErrors)
  func lineThatCannotBeCarriedIsRefused(vector: WireVectors.PackError) throws {
    let types = try vector.types.map { try WireTypes(parsing: Array($0.utf8).span) }
    let failure = try #require(throws: WireFailure.self) { try WireTrip.pack([vector.line], types) }
    #expect(failure.code.rawValue == vector.error)
    #expect(Self.place(failure) == vector.place)
    if let lossy = vector.lossy {
      let packed = try WireTrip.pack([vector.line], types, isLossy: true)
      #expect(WireTrip.isEqual(packed, lossy), "\(packed)")
    } else {
      let lossy = try #require(throws: WireFailure.self) {
        try WireTrip.pack([vector.line], types, isLossy: true)
      }
      #expect(lossy.code == failure.code && lossy.place == failure.place)
    }
  }

  /// The place as the message shows it.
  private static func place(_ failure: WireFailure) -> String {
    guard !failure.place.isEmpty else { return "" }
    return String(failure.message.dropLast(failure.error.message.count + 2))
  }
}
