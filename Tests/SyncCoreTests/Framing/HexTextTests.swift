import Captures
import SyncCore
import TestSupport
import Testing

/// Hex as programs print it; the fixtures are their output for `sample`.
@Suite struct HexTextTests {
  /// `hello {"a":1}`, three control bytes, 0xff, `abcdefghij`.
  static let sample = Array(hex: "68656c6c6f207b2261223a317d000102ff6162636465666768696a")

  static func decode(_ text: String) throws(HexText.Failure) -> [UInt8] {
    var hex = HexText()
    var bytes: [UInt8] = []
    for line in Array(text.utf8).split(separator: 10, omittingEmptySubsequences: false) {
      try hex.decode(Array(line).span, into: &bytes)
    }
    return bytes
  }

  static func message(_ text: String) -> String? {
    do throws(HexText.Failure) {
      _ = try decode(text)
      return nil
    } catch { return error.message }
  }

  @Test(arguments: HexFixture.ofSample)
  func readsWhatProgramsPrint(fixture: HexFixture) throws {
    #expect(try Self.decode(fixture.text) == Self.sample)
  }

  @Test(arguments: HexFixture.ofSample)
  func readsItWithCarriageReturnsAndBlankLines(fixture: HexFixture) throws {
    #expect(try Self.decode("\n" + fixture.text.replacing("\n", with: "\r\n\r\n") + "\r\n") == Self.sample)
  }

  @Test(arguments: HexFixture.ofSample.filter(\.isDump))
  func aLostLineIsAnError(fixture: HexFixture) {
    let later = fixture.text.split(separator: "\n").dropFirst()
    let text = fixture.text + "\n" + later.joined(separator: "\n")
    #expect(Self.message(text)?.contains("line is missing") == true)
  }

  @Test(arguments: HexFixture.ofSample.filter(\.isDump))
  func twoDumpsFollowEachOther(fixture: HexFixture) throws {
    #expect(try Self.decode(fixture.text + "\n\n" + fixture.text) == Self.sample + Self.sample)
  }

  /// However many bytes the last row has, its text column is not read as bytes.
  @Test(arguments: 1...32)
  func textColumnIsNeverData(count: Int) throws {
    let bytes = [UInt8](repeating: 0xaa, count: count)
    let text = "abcdef0123 5b 5d ca fe"
    for (offset, gap, middle) in [
      ("0000   ", "   ", ""), ("00000000  ", "  |", " "), ("00000000: ", "  ", ""),
    ] {
      var rows = ""
      for start in stride(from: 0, to: count, by: 16) {
        let row = Array(bytes[start..<min(start + 16, count)])
        let cells = (0..<16).map { ($0 < row.count ? "aa" : "  ") + ($0 == 7 ? " " + middle : " ") }
        rows += (start == 0 ? offset : offset.replacing("00 ", with: "10 ").replacing("00:", with: "10:"))
        rows += cells.joined().dropLast() + gap + text + "\n"
      }
      #expect(try Self.decode(rows) == bytes, "\(rows)")
    }
  }

  @Test(arguments: [
    ("0000000 6568 6c6c 206f 227b 2261 313a 007d 0201", "form of hexdump"),  // hexdump
    ("0000000 062550 066154 020157 021173 021141", "form of hexdump"),  // od
    ("0000000   h   e   l   l   o", "form of hexdump"),  // od -c
    ("0000000 150 145 154", "form of hexdump"),  // od -to1
    ("00000000: 6c6c6568 227b206f  hello {\"", "xxd -e"), ("00000000: 01101000 01100101  he", "xxd -b"),
    ("12:00:00.000000 IP 127.0.0.1.40000 > 127.0.0.1.27421: Flags [P.]", "payload"),
    ("2026-01-01 12:00:00.000000 IP6 ::1.40000 > ::1.27421: Flags [P.]", "payload"),
    ("IP 127.0.0.1.40000 > 127.0.0.1.27421: Flags [P.]", "payload"),
    ("\t0x0000:  4500 003f 1c46 4000 4006 0000 7f00 0001", "payload"),  // tcpdump -x
    ("\t0x0000:  6004 2f9b 002b 0640 0000 0000 0000 0000  `./..+.@........", "payload"),  // -X
    ("\t0x0000:  0011 2233 4455 6677 8899 aabb 0800 4500", "payload"),  // -xx
    ("\t0x0000:  0011 2233 4455 6677 8899 aabb 86dd 6004  .........", "payload"),  // -XX
    ("00000000  68 65\n*\n00000020", "repeated lines"), ("*", "repeated lines"),
    ("686", "an odd number of hex digits"), ("68 6 5c", "an odd number of hex digits"),
    ("0x6", "an odd number of hex digits"), ("68g5", "not a hex digit"), ("hello", "not a hex digit"),
    ("00000000: 68g5", "not a hex digit"), ("00000000: 6865 zz6c", "not a hex digit"),
    ("00000000: 6865 6c.c", "not a hex digit"), ("00000000: 686 6c6c", "an odd number of hex digits"),
    ("0000  68 65 6c 6", "an odd number of hex digits"), ("0000  68 65 +", "not a hex digit"),
    ("00000000: nothing", "not a hex digit"), ("0000  68\n65 66", "a line without an offset in a dump"),
    ("0000  68\n0002  65", "line is missing"), ("0000  68\n0010", "line is missing"),
    ("\u{e9}", "not a hex digit"), ("\0", "not a hex digit"),
  ])
  func refuses(text: String, message: String) {
    #expect(Self.message(text)?.contains(message) == true, "\(Self.message(text) ?? "taken")")
  }

  @Test func errorsSayWhere() {
    func column(_ text: String) -> Int? {
      do throws(HexText.Failure) {
        _ = try Self.decode(text)
        return nil
      } catch { return error.column }
    }
    #expect(column("68 65 zz") == 6)
    #expect(column("  *") == 2)
    #expect(column("00000000: 6865 zz") == 15)
    #expect(column("68 656 zz") == 3)
  }

  /// Two blanks are the gap in the middle of a row only after eight bytes.
  @Test func textThatLooksLikeHexIsText() throws {
    #expect(try Self.decode("0000  68 65  ca fe\n0002  6c  5b 5d") == Array(hex: "68656c"))
  }

  @Test(arguments: ["", " ", "\t\r", "\n\n"])
  func nothingIsNothing(text: String) throws {
    #expect(try Self.decode(text) == [])
  }

  @Test(arguments: ["00000007", "00000007 7b2261223a317d", "00000000", "0000", "0000001b"])
  func digitsAloneAreBytes(text: String) throws {
    #expect(try Self.decode(text) == Array(hex: text.replacing(" ", with: "")))
  }

  /// Packets with their headers are for people who look for the message in them.
  @Test func packetsAreReadWhereTheyAreWanted() throws {
    var hex = HexText(readsPackets: true)
    var bytes: [UInt8] = []
    for line in [
      "12:00:00.000000 IP 10.77.0.1.5353 > 224.0.0.251.5353: 0", "\t0x0000:  4500 0041", "\t0x0004:  8a2c",
    ] {
      try hex.decode(Array(line.utf8).span, into: &bytes)
    }
    #expect(bytes == Array(hex: "450000418a2c"))
    var failure: HexText.Failure?
    do throws(HexText.Failure) {
      try hex.decode(Array("12:00:01.000000 IP 10.77.0.1.5353 > 224.0.0.251.5353: 0".utf8).span, into: &bytes)
    } catch { failure = error }
    #expect(failure?.message.contains("more than one packet") == true)
  }

  @Test(arguments: Tries.seeds(200))
  func damagedDumpsNeverCrash(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var text = Array(random.pick(HexFixture.ofSample).text.utf8)
    for _ in 0..<random.pick(1...5) {
      text[Int.random(in: 0..<text.count, using: &random)] = random.pick(
        Array("0 f:|*\n\t.x".utf8) + [0, 0xff])
    }
    _ = Self.message(String(decoding: text, as: UTF8.self))
  }
}
