import JSONLines
import SyncCore
import TestSupport
import Testing

/// A mold accepts only what the scanner accepts, and ends where it ends.
@Suite struct LineMoldsTests {
  /// More text follows the object, so that none is too near its end.
  private static let rest = "\n" + String(repeating: " ", count: 100)

  /// Molds of some objects, and the marks and numbers that they were given.
  private struct Learned {
    var molds = LineMolds()
    var numbers: [Int?] = []
    var marks: [[Int]] = []

    init(_ objects: [String]) {
      for object in objects {
        var marks: [Int] = []
        let text = Array((object + rest).utf8)
        numbers.append(molds.learn(text.span, 0..<object.utf8.count, marks: &marks))
        self.marks.append(marks)
      }
    }

    /// The mold, and how much of the object it took.
    func fit(_ object: String, rest: String = LineMoldsTests.rest) -> (mold: Int, end: Int)? {
      fit(Array((object + rest).utf8)).map { ($0.fit.mold, $0.fit.end) }
    }

    func fit(_ text: [UInt8]) -> (fit: LineMolds.Fit, marks: [Int])? {
      var marks = LineMolds.noMarks
      return molds.fit(text.span, from: 0, marks: &marks).map { ($0, marks) }
    }
  }

  private static let task = #"{"id":"a","n":1,"of":{"x":[true,null]}, "t":"ü"}"#

  @Test(arguments: [
    task, #"{"id":"","n":-0.5e9,"of":{"x":[1,2]}, "t":"\"\\\u00e9"}"#,
    #"{"id":"a longer one, longer than a piece can be at all","n":true,"of":{"x":[null,0]}, "t":" "}"#,
  ])
  func objectsThatDifferInTheirScalarsFit(_ object: String) throws {
    let fit = try #require(Learned([Self.task]).fit(object))
    #expect(fit.mold == 0 && fit.end == object.utf8.count)
  }

  @Test(arguments: [
    #"{"id":"a","n":"1","of":{"x":[true,null]}, "t":"ü"}"#, #"{"id":"a","n":1,"of":{"x":[true]}, "t":"ü"}"#,
    #"{"id":"a","n":1,"of":{"x":[true,null]},"t":"ü"}"#, #"{"id":"a","m":1,"of":{"x":[true,null]}, "t":"ü"}"#,
    #"{"id":"a","n":1,"of":{"x":[true,null]}}"#, #"{"id":"a","n":{},"of":{"x":[true,null]}, "t":"ü"}"#,
    // Not valid: a scalar that is none, a control character, an escape, a number, the end.
    #"{"id":"a","n":01,"of":{"x":[true,null]}, "t":"ü"}"#,
    "{\"id\":\"\u{1}\",\"n\":1,\"of\":{\"x\":[true,null]}, \"t\":\"ü\"}",
    #"{"id":"\x","n":1,"of":{"x":[true,null]}, "t":"ü"}"#,
    #"{"id":"a","n":tru,"of":{"x":[true,null]}, "t":"ü"}"#,
    #"{"id":"a","n":,"of":{"x":[true,null]}, "t":"ü"}"#, #"{"id":"a","n":1,"of":{"x":[true,null]}, "t":"ü"#,
    "",
  ])
  func othersDoNot(_ object: String) {
    #expect(Learned([Self.task]).fit(object) == nil)
  }

  @Test func eachFormHasANumberOfItsOwn() {
    let forms = [#"{"a":1}"#, #"{"a":"x"}"#, #"{"a":1,"b":2}"#, #"{"b":[]}"#, #"{}"#, #"{"a":{}}"#]
    let learned = Learned(forms + forms.reversed())
    #expect(learned.numbers == Array(0..<6) + (0..<6).reversed())
    for (number, form) in forms.enumerated() { #expect(learned.fit(form)?.mold == number, "\(form)") }
  }

  @Test func nothingFitsBeforeAnythingIsKnown() {
    #expect(Learned([]).fit(Self.task) == nil)
  }

  @Test func onlyObjectsAreLearned() {
    #expect(Learned(["[1]", "1", #""a""#]).numbers == [nil, nil, nil])
  }

  /// A piece is compared with 32 bytes of the text.
  @Test func anObjectNearTheEndOfTheTextFitsNone() {
    let learned = Learned([Self.task])
    #expect(learned.fit(Self.task, rest: "") == nil)
    #expect(learned.fit(Self.task, rest: String(repeating: "\n", count: 40))?.mold == 0)
  }

  @Test func thereIsAnEndToWhatIsRemembered() {
    let deep = "{" + (0..<70).map { #""n\#($0)":0"# }.joined(separator: ",") + "}"
    #expect(Learned([deep]).numbers == [nil])
    #expect(Learned([deep]).fit(deep) == nil)
    let many = (0..<300).map { #"{"n\#($0)":0}"# }
    #expect(Learned(many).numbers.contains(nil))
    let long = #"{"\#(String(repeating: "long", count: 100))":0}"#
    #expect(Learned([long]).fit(long)?.end == long.utf8.count)
  }

  /// Whatever has been learned, and however an object has been damaged since.
  @Test(arguments: 0..<40)
  func whatFitsIsValidAndEndsThere(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let objects = (0..<20).map { _ in
      RandomJSON.object([
        (["a"], RandomJSON(depth: 2, using: &random)), (["b"], RandomJSON(depth: 1, using: &random)),
      ]).spelling(using: &random).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
    let learned = Learned(objects)
    for (number, object) in zip(learned.numbers, objects) where number != nil {
      let text = Array((object + Self.rest).utf8)
      let fit = try #require(learned.fit(text), "seed \(seed): \(object)")
      #expect(fit.fit.mold == number && fit.fit.end == object.utf8.count, "seed \(seed): \(object)")
      for _ in 0..<100 {
        var damaged = text
        damaged[Int.random(in: 0..<object.utf8.count, using: &random)] = random.pick(
          Array(#"0a"\{}[],: ."#.utf8) + [0, 200])
        var sink = IgnoredMembers()
        guard let fit = learned.fit(damaged) else { continue }
        let end = try JSONScanner.scan(damaged.span, from: 0, into: &sink)
        #expect(end == fit.fit.end, "seed \(seed): \(String(decoding: damaged, as: UTF8.self))")
      }
    }
  }

  /// The marks lead to the same places in an object as in the one that was learned.
  @Test func marksAreTheBeginningsOfPieces() throws {
    let learned = Learned([#"{"a":1,"b":"x","c":[2]}"#])
    #expect(learned.marks == [[0, 6, 14, 21]])
    let text = Array((#"{"a":100,"b":"","c":[-2]}"# + Self.rest).utf8)
    #expect(try #require(learned.fit(text)).marks.prefix(4) == [0, 8, 15, 23])
  }
}
