import Crypto
import JSONLines
import SyncCore

/// A document of a collection, as the service returns it.
struct Document {
  /// The last part of its name.
  var id: String
  /// The time of the last write, in the service's spelling.
  var updated: String
  /// Typed values, by member.
  var fields: [JSONMember]

  /// Reads a document; nil if it is outside that path, such as in `users/ann/tasks`.
  init?(_ value: JSONValue, of collection: String) {
    guard let name = value["name"]?.stringValue, let root = name.utf8.firstRange(of: "/documents/".utf8),
      let updated = value["updateTime"]?.stringValue, Self.isTime(updated),
      let fields = value["fields"].map(\.objectValue) ?? []
    else { return nil }
    // Compare bytes: an id may begin with a combining mark, which forms one character with the slash before
    // it.
    let (path, head) = (name.utf8[root.upperBound...], "\(collection)/".utf8)
    guard path.starts(with: head) else { return nil }
    id = String(decoding: path.dropFirst(head.count), as: UTF8.self)
    guard !id.isEmpty, !id.utf8.contains(UInt8(ascii: "/")) else { return nil }
    (self.updated, self.fields) = (updated, fields)
  }

  /// Whether a text is a valid time of the service.
  static func isTime(_ text: String) -> Bool {
    Instant(text).map { possibleTimes.contains(Int64($0.seconds)) } ?? false
  }

  /// The years 2000 to 2999, in seconds.
  private static let possibleTimes: Range<Int64> = 946_684_800..<32_503_680_000

  /// The member with this program's note: the parts of a change line other than its fields.
  static let note = "peersync"

  /// The members of the record: all except the note.
  var content: [JSONMember] { fields.filter { $0.name != Self.note } }

  private func noted(_ name: String) -> String? {
    fields[named: Self.note]?["mapValue"]?["fields"]?[name]?["stringValue"]?.stringValue
  }

  /// The server's time in the note.
  var time: String? {
    fields[named: Self.note]?["mapValue"]?["fields"]?["at"]?["timestampValue"]?.stringValue
  }

  /// The time in a member of a document that stores write beside the collection.
  func instant(_ name: String) -> Instant? { time(name).flatMap { Instant($0) } }

  func time(_ name: String) -> String? { fields[named: name]?["timestampValue"]?.stringValue }

  /// The text in the note: the other members of the change line.
  var line: String? { noted("line") }
  var digest: String? { noted("digest") }

  /// A mark of the note's content, without its time; empty for a document without a note.
  static func noteID(_ fields: [JSONMember]) -> String {
    guard let note = fields[named: note]?["mapValue"]?["fields"],
      let line = note["line"]?["stringValue"]?.stringValue,
      let digest = note["digest"]?["stringValue"]?.stringValue
    else { return "" }
    return String(HexDigits.text((try? Digest.sha256(Array("\(digest) \(line)".utf8).span)) ?? []).prefix(32))
  }
}

/// The id of a document, compared by bytes: different bytes that look alike are different ids.
struct DocumentID: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: Self, b: Self) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8.max)
  }
}
