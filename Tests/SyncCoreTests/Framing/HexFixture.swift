import Captures
import Testing

/// A text with hex in it, as printed by a program.
struct HexFixture: CustomTestStringConvertible {
  var name: String
  var text: String
  /// It has offsets.
  var isDump = true

  var testDescription: String { name }

  /// All of `HexTextTests.sample`.
  static let ofSample = [
    HexFixture(
      name: "xxd",
      text: """
        00000000: 6865 6c6c 6f20 7b22 6122 3a31 7d00 0102  hello {"a":1}...
        00000010: ff61 6263 6465 6667 6869 6a              .abcdefghij
        """),
    HexFixture(
      name: "xxd -p", text: "68656c6c6f207b2261223a317d000102ff6162636465666768696a", isDump: false),
    HexFixture(
      name: "xxd -p -c 13",
      text: "68656c6c6f207b2261223a317d\n000102ff616263646566676869\n6a", isDump: false),
    HexFixture(
      name: "xxd -g1 -u",
      text: """
        00000000: 68 65 6C 6C 6F 20 7B 22 61 22 3A 31 7D 00 01 02  hello {"a":1}...
        00000010: FF 61 62 63 64 65 66 67 68 69 6A                 .abcdefghij
        """),
    HexFixture(
      name: "xxd -c 8",
      text: """
        00000000: 6865 6c6c 6f20 7b22  hello {"
        00000008: 6122 3a31 7d00 0102  a":1}...
        00000010: ff61 6263 6465 6667  .abcdefg
        00000018: 6869 6a              hij
        """),
    HexFixture(
      name: "xxd -g0",
      text: """
        00000000: 68656c6c6f207b2261223a317d000102  hello {"a":1}...
        00000010: ff6162636465666768696a            .abcdefghij
        """),
    HexFixture(
      name: "hexdump -C",
      text: """
        00000000  68 65 6c 6c 6f 20 7b 22  61 22 3a 31 7d 00 01 02  |hello {"a":1}...|
        00000010  ff 61 62 63 64 65 66 67  68 69 6a                 |.abcdefghij|
        0000001b
        """),
    HexFixture(
      name: "od -Ax -tx1z",
      text: """
        000000 68 65 6c 6c 6f 20 7b 22 61 22 3a 31 7d 00 01 02  >hello {"a":1}...<
        000010 ff 61 62 63 64 65 66 67 68 69 6a                 >.abcdefghij<
        00001b
        """),
    HexFixture(
      name: "od -A d -tx1",
      text: """
        0000000 68 65 6c 6c 6f 20 7b 22 61 22 3a 31 7d 00 01 02
        0000016 ff 61 62 63 64 65 66 67 68 69 6a
        0000027
        """),
    HexFixture(
      name: "od -tx1",
      text: """
        0000000 68 65 6c 6c 6f 20 7b 22 61 22 3a 31 7d 00 01 02
        0000020 ff 61 62 63 64 65 66 67 68 69 6a
        0000033
        """),
    HexFixture(
      name: "xxd -d",
      text: """
        00000000: 6865 6c6c 6f20 7b22 6122 3a31 7d00 0102  hello {"a":1}...
        00000016: ff61 6263 6465 6667 6869 6a              .abcdefghij
        """),
    HexFixture(
      name: "xxd -d -c 6",
      text: """
        00000000: 6865 6c6c 6f20  hello
        00000006: 7b22 6122 3a31  {"a":1
        00000012: 7d00 0102 ff61  }....a
        00000018: 6263 6465 6667  bcdefg
        00000024: 6869 6a         hij
        """),
    HexFixture(
      name: "xxd -i",
      text: """
        unsigned char sample[] = {
          0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x20, 0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31,
          0x7d, 0x00, 0x01, 0x02, 0xff, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67,
          0x68, 0x69, 0x6a
        };
        unsigned int sample_len = 27;
        """, isDump: false),
    HexFixture(
      name: "od -An -tx1",
      text: " 68 65 6c 6c 6f 20 7b 22 61 22 3a 31 7d 00 01 02\n ff 61 62 63 64 65 66 67 68 69 6a",
      isDump: false),
    HexFixture(
      name: "tcpdump -x",
      text: """
        \t0x0000:  6865 6c6c 6f20 7b22 6122 3a31 7d00 0102
        \t0x0010:  ff61 6263 6465 6667 6869 6a
        """),
    HexFixture(
      name: "tcpdump -X",
      text: """
        \t0x0000:  6865 6c6c 6f20 7b22 6122 3a31 7d00 0102  hello.{"a":1}...
        \t0x0010:  ff61 6263 6465 6667 6869 6a              .abcdefghij
        """),
    HexFixture(
      name: "Wireshark, copied as a hex dump",
      text: """
        0000   68 65 6c 6c 6f 20 7b 22 61 22 3a 31 7d 00 01 02
        0010   ff 61 62 63 64 65 66 67 68 69 6a
        """),
    HexFixture(
      name: "Wireshark, copied as hex and ASCII dump",
      text: """
        0000   68 65 6c 6c 6f 20 7b 22 61 22 3a 31 7d 00 01 02   hello {"a":1}...
        0010   ff 61 62 63 64 65 66 67 68 69 6a                  .abcdefghij
        """),
    HexFixture(
      name: "Wireshark's bytes pane, with its gap",
      text: """
        0000  68 65 6c 6c 6f 20 7b 22  61 22 3a 31 7d 00 01 02   hello {" a":1}...
        0010  ff 61 62 63 64 65 66 67  68 69 6a                  .abcdefg hij
        """),
    HexFixture(
      name: "Wireshark, copied as a hex stream",
      text: "68656c6c6f207b2261223a317d000102ff6162636465666768696a", isDump: false),
    HexFixture(
      name: "a C string of escapes",
      text: """
        "\\x68\\x65\\x6c\\x6c\\x6f\\x20\\x7b\\x22\\x61\\x22\\x3a\\x31\\x7d\\x00\\x01\\x02"
        "\\xff\\x61\\x62\\x63\\x64\\x65\\x66\\x67\\x68\\x69\\x6a"
        """, isDump: false),
    HexFixture(
      name: "tshark -T fields, with colons",
      text: "68:65:6c:6c:6f:20:7b:22:61:22:3a:31:7d:00:01:02:ff:61:62:63:64:65:66:67:68:69:6a",
      isDump: false),
    HexFixture(
      name: "the body of xxd -i",
      text: """
          0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x20, 0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31,
          0x7d, 0x00, 0x01, 0x02, 0xff, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67,
          0x68, 0x69, 0x6a
        """, isDump: false),
  ]
}
