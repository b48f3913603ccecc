/// The words of an SQL text: names and keywords, without comments and signs.
///
/// Strings in single quotes are left out too, unless `withStrings` is true, because SQLite accepts a string as
/// the name of a table.
struct SQLWords {
  struct Word: Equatable {
    var text: String
    var isQuoted = false

    func isKeyword(_ keyword: String) -> Bool { !isQuoted && text.uppercased() == keyword }
  }

  private(set) var words: [Word] = []
  private let bytes: [UInt8]
  private let withStrings: Bool
  private var place = 0

  init(of text: String, withStrings: Bool = false) {
    (bytes, self.withStrings) = (Array(text.utf8), withStrings)
    while place < bytes.count { pass() }
  }

  private mutating func pass() {
    let next = place + 1 < bytes.count ? bytes[place + 1] : 0
    switch bytes[place] {
    case UInt8(ascii: "'") where !withStrings: _ = quoted(to: bytes[place])
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      words.append(Word(text: quoted(to: bytes[place]), isQuoted: true))
    case UInt8(ascii: "["): words.append(Word(text: quoted(to: UInt8(ascii: "]")), isQuoted: true))
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"): skip(past: [10])
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      place += 2
      skip(past: Array("*/".utf8))
    case let byte where Self.isInName(byte):
      let start = place
      while place < bytes.count, Self.isInName(bytes[place]) { place += 1 }
      words.append(Word(text: String(decoding: bytes[start..<place], as: UTF8.self)))
    default: place += 1
    }
  }

  /// Reads a quoted text, in which a doubled quote means a single one, and returns the text.
  private mutating func quoted(to end: UInt8) -> String {
    var text: [UInt8] = []
    place += 1
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == end {
        guard place < bytes.count, bytes[place] == end, end != UInt8(ascii: "]") else { break }
        place += 1
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func skip(past end: [UInt8]) {
    while place < bytes.count, !bytes[place...].starts(with: end) { place += 1 }
    place = min(place + end.count, bytes.count)
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
