import JSONLines
import SyncCore
import TestSupport
import Testing

/// Molds report the same about objects as the objects themselves.
@Suite struct ObjectMoldsTests {
  /// No member has a meaning.
  private struct NoMembers: MoldedMembers {
    enum Name: CaseIterable, Sendable { case none }
    var hasRepeated: Bool { false }
    subscript(_ name: Name) -> Range<Int>? { nil }
    mutating func set(_ name: Name, _ value: Range<Int>) {}
  }

  private static let pointers = [
    "/id", "/of/x/1", "/of/x/2", "/of/x", "/of", "/t~1u", "/none", "/id/x", "/a/b", "",
  ].compactMap { JSONPointer($0) }

  /// More text follows the object, so that none is too near its end.
  private static let rest = [UInt8](repeating: 10, count: 64)

  /// Reads an object as the reader of lines does; true if it fitted a mold.
  private static func read(_ object: [UInt8], _ molds: inout ObjectMolds<NoMembers>) -> Bool {
    var members = NoMembers()
    let text = object + rest
    if molds.read(text.span, from: 0, into: &members) == object.count { return true }
    molds.learn(text.span, object.indices, members)
    return false
  }

  @Test func pointersLeadWhereTheyLead() throws {
    var molds = ObjectMolds<NoMembers>(Self.pointers)
    let objects = [
      #"{"id":"a","of":{"x":[true,null]}, "t/u":"ü","a":{"b":1,"b":2}}"#,
      #"{"id":"longer","of":{"x":[1,12.5e3]}, "t/u":"","a":{"b":null,"b":0}}"#, #"{"id":1,"of":[]}"#,
      #"{"id":-2,"of":[]}"#,
    ].map { Array($0.utf8) }
    #expect(objects.map { Self.read($0, &molds) } == [false, true, false, true])
    for object in objects {
      #expect(Self.read(object, &molds))
      for (place, pointer) in Self.pointers.enumerated() {
        let text = object + Self.rest
        let found = molds.find(place, in: text.span, object.indices)
        #expect(found == pointer.find(in: text.span, object.indices), "\(pointer.text)")
      }
    }
  }

  /// Of objects that differ in their scalars, with numbers and strings of which one is the beginning of the other.
  @Test func objectsAreOrderedAsTheirCanonicalForms() throws {
    let scalars = [
      "0", "-0", "1", "1.0", "12", "1e5", "10e4", "1e50", "true", "false", "null", "1.5", "0.5", "-1", "1e-9",
    ].map { Array($0.utf8) }
    let strings = ["", "a", "ab", "\\u0061", "a\\n", "ü", "\\u00fc", "\\\"", "z"].map {
      Array(#""\#($0)""#.utf8)
    }
    var random = SplitMix64(seed: 7)
    var molds = ObjectMolds<NoMembers>([])
    for _ in 0..<2_000 {
      let pair = (0..<2).map { _ in
        let (n, m) = (
          scalars.randomElement(using: &random) ?? [], scalars.randomElement(using: &random) ?? []
        )
        let s = strings.randomElement(using: &random) ?? []
        return Array(#"{"z":"#.utf8) + n + Array(#","b":{"y":["#.utf8) + s + Array(",".utf8) + m
          + Array(#"],"a":"#.utf8) + n + Array(#"},"a":[],"a":"#.utf8) + s + Array("}".utf8)
      }
      let other = pair[1] + Self.rest
      guard Self.read(pair[1], &molds) else { continue }
      let cast = molds.cast
      guard Self.read(pair[0], &molds) else { continue }
      let text = pair[0] + Self.rest
      let order = molds.compare(text.span, pair[0].indices, other.span, cast)
      let canonical = CanonicalJSON.compare(text.span, pair[0].indices, other.span, pair[1].indices)
      if let order {
        #expect(order.signum() == canonical.signum(), "\(pair.map { String(decoding: $0, as: UTF8.self) })")
      }
    }
    #expect(molds.cast != nil)
  }
}
