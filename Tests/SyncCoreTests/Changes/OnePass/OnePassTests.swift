import JSONLines
import SyncCore
import TestSupport
import Testing

/// A line of a longer text is read like the same line alone.
@Suite struct OnePassTests {
  @Test(arguments: ["\n", "\r\n", " \r\t\r\n"], ["", "\n", "x"])
  func vectorsAreReadAsByThemselves(_ end: String, _ rest: String) {
    for vector in ChangeVector.all {
      check(vector.line, end + rest, LineReader(vector.recordShape))
    }
  }

  @Test(arguments: ["", "\r", " ", " \r\r"])
  func theLastLineNeedsNoLineFeed(_ end: String) {
    for vector in ChangeVector.all { check(vector.line, end, LineReader(vector.recordShape)) }
  }

  @Test(arguments: [
    "{\"id\":\n1}", "{\n\"id\":1}", "{\"id\"\n:1}", "{\"id\":1\n}", "{\"id\":1,\n\"n\":2}",
    "{\"id\":\"a\nb\"}",
    "{\"id\":\"a\\\nb\"}", "{\"id\":\"\\u00\n41\"}", "{\"id\":\"\u{E9}\n\"}", "{\"id\":tr\nue}",
    "{\"id\":1.\n5}",
    "{\"id\":-\n}", "{\"id\":1,\"a\":[\n]}", "{\"id\":1,\"a\":[1\n]}", "{\"id\":1,\"a\":[1,\n1]}",
    "{\"id\":1}\n}",
    "\n{\"id\":1}", " \r\n{\"id\":1}", "\r\n", "\r", " \t", "\t\n \n",
  ])
  func aLineFeedEndsTheLineWhereverItIs(_ text: String) {
    check(text, "", LineReader(RecordShape()))
    check(text, "\n", LineReader(RecordShape()))
  }

  /// The reader's memory of lines makes no difference to the next ones.
  @Test(arguments: LawProfile.all, UInt64(1)...20)
  func linesOfManyKindsAreReadAsByThemselves(_ profile: LawProfile, seed: UInt64) throws {
    var changes = RandomChanges(seed: seed, profile: profile)
    let lines = changes.devices().joined().map { Array($0.utf8) }
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.text.utf8).span)
    var reader = LineReader(shape)
    for line in lines {
      var fresh = LineReader(shape)
      let reading = LineReading(line, &reader)
      #expect(reading == LineReading(line, &fresh), "\(String(decoding: line, as: UTF8.self))")
    }
  }

  @Test(arguments: [
    "{\"id\":1}x\n", "{\"id\":1}\rx\n", "{\"id\":1} {}\n", "\u{FEFF}{\"id\":1}\n", "{\"id\":1\r\r\n",
  ])
  func whatIsWrongStandsWhereItStandsInTheLine(_ text: String) {
    check(text, "", LineReader(RecordShape()))
    check(text, "{\"id\":2}\n", LineReader(RecordShape()))
  }

  @Test(arguments: Tries.some(ChangeVector.all.filter { $0.line.utf8.count < 80 }))
  func everyDamageIsReadAsByItself(_ vector: ChangeVector) {
    let text = Array(vector.line.utf8)
    let reader = LineReader(vector.recordShape)
    for index in text.indices {
      for byte in [text[index] ^ 1, text[index] ^ 0x80, 0, 10, 13, 32, 34, 92, 123] {
        var damaged = text
        damaged[index] = byte
        check(damaged + [10, 123], reader)
      }
      check(Array(text[..<index]) + [13, 10, 125], reader)
    }
  }

  private func check(_ line: String, _ rest: String, _ reader: LineReader) {
    check(Array(line.utf8) + Array(rest.utf8), reader)
  }

  /// Reads the lines of a text, with other bytes before it, in one pass and separately.
  private func check(_ bytes: [UInt8], _ reader: LineReader) {
    let text = Array("{\"id\":0}\n".utf8) + bytes
    var (onePass, whole) = (reader, reader)
    var start = 9
    while start < text.count {
      let lineEnd = text[start...].firstIndex(of: 10) ?? text.count
      var contentEnd = lineEnd
      while contentEnd > start, text[contentEnd - 1] == 13 { contentEnd -= 1 }
      var end = -1
      let reading = LineReading(text, from: start, end: &end, &onePass)
      let expected = LineReading(Array(text[start..<contentEnd]), &whole)
      let comment = Comment(rawValue: String(decoding: text[start..<lineEnd], as: UTF8.self).debugDescription)
      #expect(reading == expected, comment)
      #expect(end == lineEnd, comment)
      start = lineEnd + 1
    }
  }
}
