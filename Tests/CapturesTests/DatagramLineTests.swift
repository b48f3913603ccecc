import Captures
import JSONLines
import Testing

/// Lines of datagrams.
@Suite struct DatagramLineTests {
  private static let line = Array(
    #"{"datagram":3,"from":"10.0.0.2:5353","to":"[ff02::fb]:5353","at":"2026-01-01T00:00:00.001Z","data":"AQI="}"#
      .utf8)

  @Test func whatALineHas() throws {
    let datagram = try DatagramLine(Self.line.span)
    #expect(datagram.number == 3 && datagram.data == [1, 2] && datagram.missing == 0)
    var output: [UInt8] = []
    datagram.append(Array(#"{"a":1}"#.utf8), to: &output)
    #expect(
      String(decoding: output, as: UTF8.self) == """
        {"datagram":3,"from":"10.0.0.2:5353","to":"[ff02::fb]:5353","at":"2026-01-01T00:00:00.001Z","a":1}

        """)
  }

  @Test func whatWasNotCaptured() throws {
    let text = String(decoding: Self.line, as: UTF8.self)
      .split(separator: ",\"data\"").joined(separator: ",\"gap\":7,\"data\"")
    #expect(try DatagramLine(Array(text.utf8).span).missing == 7)
  }

  @Test func aPieceOfAStreamIsNone() {
    let text = #"{"stream":0,"from":"a","to":"b","at":"t","offset":0,"data":""}"#
    #expect(throws: DatagramLine.ofStream) { try DatagramLine(Array(text.utf8).span) }
  }

  @Test(arguments: [("{}", true), (" \t{", true), ("00", false), ("", false), ("  ", false), ("[{", false)])
  func theFirstByteTells(text: String, isOne: Bool) {
    #expect(DatagramLine.isBegun(by: Array(text.utf8).span) == isOne)
  }

  /// Each truncation is refused, and no flipped byte ends the process or makes other data.
  @Test func damagedLines() {
    for count in Self.line.indices {
      #expect(throws: MemberError.self) { try DatagramLine(Array(Self.line[..<count]).span) }
    }
    for index in Self.line.indices {
      for bit in 0..<8 {
        var line = Self.line
        line[index] ^= 1 << bit
        guard let datagram = try? DatagramLine(line.span) else { continue }
        #expect(datagram.data.count <= 3 && datagram.missing == 0)
      }
    }
  }
}
