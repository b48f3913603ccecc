import JSONLines
import Testing

@Suite struct JSONValueTests {
  private func parse(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8).span)
  }

  @Test func readsEveryKind() throws {
    let value = try parse(#" {"a":[null,true,false,-1.50e+2,"x\u0079"],"b":{},"a":[]} "#)
    #expect(
      value
        == .object([
          JSONMember("a", .array([.null, .bool(true), .bool(false), .number("-1.50e+2"), .string("xy")])),
          JSONMember("b", .object([])), JSONMember("a", .array([])),
        ]))
    #expect(value.text == #"{"a":[null,true,false,-1.50e+2,"xy"],"b":{},"a":[]}"#)
  }

  @Test func refusesWhatTheScannerRefuses() {
    #expect(throws: JSONError(.trailingBytes, at: 3)) { try parse("{} {}") }
    #expect(throws: JSONError(.unexpectedEnd, at: 0)) { try parse("") }
  }

  @Test func buildsFromLiterals() {
    let name = "Zoe"
    let value: JSONValue = [
      "type": "hello", "to": "\(name)!", "count": 3, "ok": true, "list": [1, "a", .null], "none": [:],
    ]
    #expect(value.text == #"{"type":"hello","to":"Zoe!","count":3,"ok":true,"list":[1,"a",null],"none":{}}"#)
    var bytes = Array("x".utf8)
    value.append(to: &bytes)
    #expect(bytes == Array("x\(value.text)".utf8))
  }

  @Test func findsTheFirstMemberOfAName() throws {
    let value = try parse("{\"a\":1,\"a\":2,\"e\u{301}\":3}")
    #expect(value["a"] == 1)
    #expect(value["b"] == nil)
    #expect(value["\u{E9}"] == nil)
    #expect(value["e\u{301}"] == 3)
    #expect(try parse("[]")["a"] == nil)
  }

  @Test func readsSimpleValues() throws {
    #expect(try parse(#""a""#).stringValue == "a")
    #expect(try parse("true").boolValue == true)
    #expect(try parse("[1]").arrayValue == [1])
    #expect(try parse(#"{"a":1}"#).objectValue == [JSONMember("a", 1)])
    let null = JSONValue.null
    #expect(null.stringValue == nil && null.boolValue == nil && null.intValue == nil)
    #expect(null.arrayValue == nil && null.objectValue == nil)
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("42", 42), ("4.20e1", 42), ("7e2", 700), ("-9223372036854775808", Int.min),
    ("9223372036854775807", Int.max), ("9223372036854775808", nil), ("1.5", nil), ("1e-1000000000", nil),
    ("1e1000000000", nil),
    (#""1""#, nil),
  ])
  func readsWholeNumbersExactly(_ text: String, _ expected: Int?) throws {
    #expect(try parse(text).intValue == expected)
  }

  @Test func comparesTextNotValue() throws {
    #expect(try parse("1") != parse("1.0"))
    #expect(try parse("\"\u{E9}\"") != parse("\"e\u{301}\""))
    #expect(try parse("{\"\u{E9}\":1}") != parse("{\"e\u{301}\":1}"))
    #expect(try parse(#"{"a":1,"b":2}"#) != parse(#"{"b":2,"a":1}"#))
    #expect(try parse(#"{"\u0061":1}"#) == parse(#"{ "a" : 1 }"#))
    #expect(JSONValue.integer(UInt64.max).text == "18446744073709551615")
  }
}
