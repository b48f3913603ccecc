import JSONLines
import TestSupport
import Testing

/// Sizes at which quadratic, recursive or expanded work would show in the time.
@Suite(.endsHangs) struct LargeTextTests {
  @Test func stringOfAMegabyte() {
    let plain = Array("\"\(String(repeating: "abcdefgé", count: 120_000))\"".utf8)
    #expect(JSONTexts.error(plain) == nil)
    expectSame(JSONTexts.canonical(plain), plain)
    let escaped = Array("\"\(String(repeating: #"\u0061"#, count: 170_000))\"".utf8)
    let letters = Array("\"\(String(repeating: "a", count: 170_000))\"".utf8)
    expectSame(JSONTexts.canonical(escaped), letters)
    #expect(JSONTexts.areEqual(escaped, letters))
    #expect(JSONTexts.error(Array(plain.dropLast())) == JSONError(.unexpectedEnd, at: plain.count - 1))
  }

  @Test func numberOfAMegabyte() {
    let nines = Array(String(repeating: "9", count: 1_000_000).utf8)
    #expect(JSONTexts.error(nines) == nil)
    #expect(JSONTexts.areEqual(nines, nines + Array(".000".utf8)))
    #expect(!JSONTexts.areEqual(nines, nines + Array(".0001".utf8)))
    expectSame(JSONTexts.canonical(nines), Array("9.".utf8) + nines.dropFirst() + Array("e+999999".utf8))
    let one = Array("1\(String(repeating: "0", count: 1_000_000))e-1000000".utf8)
    expectSame(JSONTexts.canonical(one), Array("1".utf8))
    let small = Array("0.\(String(repeating: "0", count: 1_000_000))1".utf8)
    expectSame(JSONTexts.canonical(small), Array("1e-1000001".utf8))
  }

  @Test func hugeExponentsCostNothing() {
    for _ in 0..<10_000 {
      #expect(JSONTexts.areEqual("1e1000000000", "10e999999999"))
      #expect(JSONTexts.canonical("10e999999999") == "1e+1000000000")
    }
  }

  @Test func manyMembers() {
    let names = (0..<100_000).map { "\"name \($0 % 70_000)\":\($0)" }
    let forward = Array("{\(names.joined(separator: ","))}".utf8)
    let backward = Array("{\(names.reversed().joined(separator: ","))}".utf8)
    let rotated = Array("{\((names[50_000...] + names[..<50_000]).joined(separator: ","))}".utf8)
    #expect(JSONTexts.areEqual(forward, forward + [0x20]))
    #expect(JSONTexts.canonical(forward) != JSONTexts.canonical(backward))
    #expect(!JSONTexts.areEqual(forward, backward))
    #expect(!JSONTexts.areEqual(forward, rotated))
    let unique = (0..<100_000).map { "\"name \($0)\":\($0)" }
    let (a, b) = (
      Array("{\(unique.joined(separator: ","))}".utf8),
      Array("{\(unique.reversed().joined(separator: ","))}".utf8)
    )
    #expect(JSONTexts.areEqual(a, b))
    expectSame(JSONTexts.canonical(a), JSONTexts.canonical(b))
  }

  @Test func oneNameManyTimes() {
    let members = (0..<100_000).map { "\"a\":\($0)" }
    let text = Array("{\(members.joined(separator: ","))}".utf8)
    expectSame(JSONTexts.canonical(text), text)
    #expect(JSONTexts.areEqual(text, text + [0x0A]))
    #expect(!JSONTexts.areEqual(text, Array("{\(members.reversed().joined(separator: ","))}".utf8)))
  }

  @Test func unorderedMembersAtEveryDepth() {
    let depth = 510
    let filling = String(repeating: "x", count: 100_000)
    let a =
      String(repeating: #"{"b":1,"a":"#, count: depth) + "\"\(filling)\""
      + String(repeating: "}", count: depth)
    let b =
      String(repeating: #"{"a":"#, count: depth) + "\"\(filling)\""
      + String(repeating: #","b":1}"#, count: depth)
    #expect(JSONTexts.areEqual(a, b))
    expectSame(JSONTexts.canonical(Array(a.utf8)), Array(b.utf8))
  }

  @Test func treesOfTheDeepestNesting() throws {
    let text = Array((String(repeating: "[", count: 512) + String(repeating: "]", count: 512)).utf8)
    let value = try JSONValue(parsing: text.span)
    #expect(value.text.utf8.elementsEqual(text))
  }

  /// Compares without the difference that a failing `#expect` would work out for hours.
  private func expectSame(
    _ actual: [UInt8], _ expected: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isSame = actual == expected
    #expect(isSame, "\(actual.count) and \(expected.count) bytes", sourceLocation: sourceLocation)
  }
}
