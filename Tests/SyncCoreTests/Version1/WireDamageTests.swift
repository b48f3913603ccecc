import JSONLines
@testable import SyncCore
import Testing

/// Damaged input ends in an error or in other valid output, never in a crash.
@Suite struct WireDamageTests {
  private static let delta = Array(
    #"""
    {"type":"syncResponse","protocolVersion":1,"delta":{"upserts":[{"entityName":"E\u0041",
    "identity":{"key":"timestamp","value":{"type":"date","dateValue":"2026-01-01T00:00:00+01:00"}},
    "fields":{"a":{"type":"int16","int16Value":-120},"b":{"type":"null"},"c":{"type":"double","doubleValue":1.5e-7},
    "d":{"type":"string","stringValue":"\ud83d\ude00 \/ é"},"e":{"type":"bool","boolValue":true},
    "f":{"type":"int64","int64Value":9223372036854775807}},"modifiedAt":"2026-01-01T00:00:00Z","version":1}],
    "deletes":[{"entityName":"E","identity":{"key":"k","value":{"type":"int32","int32Value":7}},
    "deletedAt":"2026-01-01T00:00:00.5Z"}],"newTokenData":"QUI="}}
    """#.utf8)

  private static let line = Array(
    #"""
    {"entityName":"E","identity":{"k":"2026-01-01T00:00:00Z"},"modifiedAt":1767225600.25,"version":2,
    "fields":{"a":120,"b":null,"c":1.5e-7,"d":"\ud83d\ude00","e":true,"f":[{}],"g":0.10000000000000000001}}
    """#.utf8.filter { $0 != 10 })

  private static let types = Array(
    #"""
    {"entities":{"E":{"identity":{"k":"date"},"fields":{"a":"int16"}}},
    "exceptions":{"[\"E\",{\"k\":\"x\"}]":{"fields":{"a":"int32"}}}}
    """#.utf8)

  /// Every prefix of the text, and the text with every byte changed in every bit.
  private static func damaged(_ text: [UInt8]) -> [[UInt8]] {
    let prefixes = text.indices.map { Array(text[..<$0]) }
    return text.indices.reduce(into: prefixes) { all, index in
      for bit in 0..<8 {
        var bytes = text
        bytes[index] ^= 1 << bit
        all.append(bytes)
      }
    }
  }

  @Test func wholeTextsAreFine() throws {
    var types = WireTypes()
    #expect(try WireTrip.unpack(Self.delta, &types).count == 3)
    #expect(try WireTypes(parsing: Self.types.span).entities.count == 1)
    #expect(try Self.pack(Self.line) != "")
    #expect(try !WireResponse(Self.delta.span).head.isEmpty)
  }

  @Test func everyPrefixOfADeltaIsRefused() {
    for count in 1..<Self.delta.count {
      var types = WireTypes()
      #expect(throws: WireFailure.self) { try WireTrip.unpack(Array(Self.delta[..<count]), &types) }
    }
  }

  @Test(arguments: [false, true])
  func damagedDelta(isLossy: Bool) {
    for bytes in Self.damaged(Self.delta) {
      var types = WireTypes()
      let lines = (try? WireTrip.unpack(bytes, &types, isLossy: isLossy)) ?? []
      #expect(lines.allSatisfy(Self.isJSON))
      if let packed = try? WireTrip.pack(lines, types, isLossy: true) { #expect(Self.isJSON(packed)) }
    }
  }

  @Test func damagedLine() {
    for bytes in Self.damaged(Self.line) {
      if let packed = try? Self.pack(bytes) { #expect(Self.isJSON(packed)) }
    }
  }

  @Test func damagedTypes() {
    for bytes in Self.damaged(Self.types) {
      guard let types = try? WireTypes(parsing: bytes.span) else { continue }
      var file: [UInt8] = []
      types.append(to: &file)
      #expect(try! WireTypes(parsing: file.span) == types)
    }
  }

  @Test func damagedResponse() {
    for bytes in Self.damaged(Self.delta) {
      guard let response = try? WireResponse(bytes.span) else { continue }
      let text = response.head + Array("{}".utf8) + response.tail
      #expect(Self.isJSON(String(decoding: text, as: UTF8.self)))
      #expect(!text.contains(10))
    }
  }

  /// As deep as the scanner allows, and one deeper.
  @Test(arguments: [100, 512, 513, 100_000])
  func deepNesting(depth: Int) {
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    var types = WireTypes()
    #expect(throws: WireFailure.self) { try WireTrip.unpack(nested, &types) }
    #expect(throws: WireFailure.self) { try WireTypes(parsing: Array(nested.utf8).span) }
    let line = #"{"id":"1","modifiedAt":0,"a":\#(nested)}"#
    #expect(((try? WireTrip.pack([line], isLossy: true)) != nil) == (depth < 512))
  }

  private static func pack(_ line: [UInt8]) throws -> String {
    let types = try WireTypes(parsing: types.span)
    var packer = WirePacker(RecordShape(), types: types, isLossy: true)
    try packer.add(line.span, number: 1)
    return WireTrip.delta(of: packer)
  }

  private static func isJSON(_ text: String) -> Bool {
    (try? JSONScanner.validate(Array(text.utf8).span)) != nil
  }
}
