import Crypto
import JSONLines
import SyncCore

/// A chain of files in a shared folder: each file names the previous one, and one store writes all of them.
package struct ChainName: Hashable, Comparable, Sendable {
  /// The lower-case id of the device, which is the name of its folder.
  package var device: String
  /// 16 hex digits of the store's id; `mark` has 8 random ones, which differ for a copy of the store.
  package var store: String
  package var mark: String

  package init(device: String, store: String, mark: String) {
    (self.device, self.store, self.mark) = (device.lowercased(), store, mark)
  }

  /// The name of a file of the chain, below the shared folder.
  package func file(_ number: Int) -> String {
    let digits = String(number)
    return "\(self)-\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits).jsonl"
  }

  /// The file that records how far the chain's writer has read the other chains.
  package var seenFile: String { "\(self).seen.json" }

  /// Reads the name of a file; nil for another file, such as one that is still being copied.
  package init?(device: String, file: String) {
    let parts = file.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return nil }
    self.init(device: device, parts[0], parts[1].prefix(8))
  }

  /// Reads the form that a name has in a token; nil for any other text.
  package init?(_ text: Substring) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 25 else { return nil }
    self.init(device: String(parts[0]), file: String(parts[1]))
    guard "\(self)" == text else { return nil }
  }

  private init?(device: String, _ store: Substring, _ mark: Substring) {
    let isHex = (store + mark).utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard UUIDText(device) != nil, device == device.lowercased(), store.utf8.count == 16,
      mark.utf8.count == 8,
      isHex
    else { return nil }
    self.init(device: device, store: String(store), mark: String(mark))
  }

  package static func < (a: ChainName, b: ChainName) -> Bool { "\(a)" < "\(b)" }
}

extension ChainName: CustomStringConvertible {
  package var description: String { "\(device)/\(store)-\(mark)" }
}

/// One file of a chain: change lines, and a last line with a checkpoint and the links of the chain.
package struct FolderPage: Equatable, Sendable {
  /// Change lines, each with its LF.
  package var lines: [UInt8]
  /// The writer's own token for the changes written so far.
  package var token: [UInt8]
  package var number: Int
  /// The number of the file from which the chain is complete: this file or an earlier file.
  package var start: Int
  /// The SHA-256 of the previous file, in hex digits; empty for the first file.
  package var previous: String
  /// The number of change lines in the chain from its start to the end of this file.
  package var total: Int
  /// Whether the answer continues in the next file.
  package var hasMore = false
  /// The rules of the writer's store, as canonical JSON.
  package var rules: [UInt8]?
  /// In a first file: the marks of the chains that this store has replaced by this chain.
  package var replaces: [String] = []

  package init(lines: [UInt8], token: [UInt8], number: Int, start: Int, previous: String, total: Int) {
    (self.lines, self.token, self.number) = (lines, token, number)
    (self.start, self.previous, self.total) = (start, previous, total)
  }

  /// The bytes of the file.
  package func text() throws -> [UInt8] {
    var members = [
      JSONMember("newTokenData", .string(Self.base64(token))), JSONMember("number", .integer(number)),
      JSONMember("start", .integer(start)), JSONMember("total", .integer(total)),
      JSONMember("sha256", .string(HexDigits.text(try Digest.sha256(lines.span)))),
    ]
    if !previous.isEmpty { members.append(JSONMember("previous", .string(previous))) }
    if hasMore { members.append(JSONMember("hasMore", .bool(true))) }
    if let rules { members.append(JSONMember("rules", try JSONValue(parsing: rules.span))) }
    if !replaces.isEmpty { members.append(JSONMember("replaces", .array(replaces.map { .string($0) }))) }
    return lines + Array(JSONValue.object(members).text.utf8) + [10]
  }

  /// The possible numbers of files; a number from another device is added to.
  static let numbers = 1...(1 << 53)

  /// Reads a file; nil if it is torn, is still being copied, or was changed.
  package init?(parsing text: [UInt8]) throws {
    guard let (last, start) = Self.lastLine(of: text),
      let token = last["newTokenData"]?.stringValue.flatMap(Self.bytes),
      let number = last["number"]?.intValue,
      let first = last["start"]?.intValue, Self.numbers.contains(number), (1...number).contains(first),
      let total = last["total"]?.intValue, (0...Self.numbers.upperBound).contains(total),
      let digest = last["sha256"]?.stringValue
    else { return nil }
    let lines = Array(text[..<start])
    guard HexDigits.text(try Digest.sha256(lines.span)) == digest else { return nil }
    self.init(
      lines: lines, token: token, number: number, start: first,
      previous: last["previous"]?.stringValue ?? "", total: total)
    hasMore = last["hasMore"]?.boolValue ?? false
    rules = last["rules"].map { Array($0.text.utf8) }
    replaces = last["replaces"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// Whether a text ends like a complete file.
  package static func hasEnd(_ text: [UInt8]) -> Bool {
    lastLine(of: text)?.value["newTokenData"] != nil
  }

  private static func lastLine(of text: [UInt8]) -> (value: JSONValue, start: Int)? {
    guard text.last == 10 else { return nil }
    let start = text.dropLast().lastIndex(of: 10).map { $0 + 1 } ?? 0
    let line = text.span.extracting(start..<text.count - 1)
    guard let value = try? JSONValue(parsing: line) else { return nil }
    return (value, start)
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    Base64.append(bytes.span, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    return (try? Base64.decode(digits.span, into: &bytes)) == nil || bytes.isEmpty ? nil : bytes
  }
}

/// For each chain of a folder, the last read file: its number and the beginning of its digest.
package struct FolderPlaces: Equatable, Sendable {
  package struct Place: Equatable, Sendable {
    package var number: Int
    package var digest: String
  }

  package var chains: [ChainName: Place] = [:]

  package init() {}

  /// Reads the token of a dialogue; any other token means that the folder was not read yet.
  package init(token: [UInt8]?) {
    for line in String(decoding: token ?? [], as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let chain = ChainName(words[0]), let number = Int(words[1]),
        FolderPage.numbers.contains(number)
      else { continue }
      chains[chain] = Place(number: number, digest: String(words[2]))
    }
  }

  /// The token, with one line per chain; an empty folder has a token too.
  package var token: [UInt8] {
    let lines = chains.sorted { $0.key < $1.key }.map { "\($0) \($1.number) \($1.digest)\n" }
    return Array(("places\n" + lines.joined()).utf8)
  }

  /// The beginning of a digest, long enough to distinguish files.
  package static func digest(_ text: [UInt8]) throws -> String {
    String(HexDigits.text(try Digest.sha256(text.span)).prefix(32))
  }
}
