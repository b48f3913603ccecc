import JSONLines
import SyncCore

/// The line of a stored occurrence with another due date or another person; the other JSON members are kept.
struct ChangedOccurrence {
  /// The new due date; nil keeps the old text.
  var due: Int?
  /// The id of the member in quotes; nil without a member.
  var member: [UInt8]?
  var clock: Instant

  private static let dueDate = Array("dueDate".utf8)
  private static let assigned = Array("assignedMemberID".utf8)
  private static let clocks = MemberName.clocks.map { Array($0.spelling.description.utf8) }
  private static let ownMembers = ["entityName", "identity", "fields"].map { Array($0.utf8) } + clocks

  /// Appends a change line; `kind` is the kind of the stored line.
  func append(
    _ text: Span<UInt8>, _ kind: ChangeLine.Kind, _ reader: inout ChangeReader, to bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(ascii: "{"))
    reader.appendKeyMembers(of: text, to: &bytes)
    bytes.append(contentsOf: ",\"modifiedAt\":\"\(clock)\"".utf8)
    var fields: Range<Int>?
    if kind == .record {
      fields = text.onlyValue
    } else {
      Self.forEachMember(of: text, text.onlyValue) { name, value in
        if JSONString.isEqual(text, name, to: "fields") { fields = value }
        // These members are written into the fields. If their value there is null, an old value outside the
        // fields would count.
        if Self.isAny(of: Self.ownMembers, text, name) || JSONString.isEqual(text, name, to: Self.assigned) {
          return
        }
        if due != nil, JSONString.isEqual(text, name, to: Self.dueDate) { return }
        bytes.append(UInt8(ascii: ","))
        bytes.append(text.extracting(name.lowerBound - 1..<value.upperBound))
      }
    }
    bytes.append(contentsOf: ",\"fields\":{".utf8)
    appendFields(text, fields, to: &bytes)
    bytes.append(contentsOf: "}}\n".utf8)
  }

  private func appendFields(_ text: Span<UInt8>, _ fields: Range<Int>?, to bytes: inout [UInt8]) {
    var (isDueWritten, isMemberWritten, isFirst) = (due == nil, false, true)
    func appendComma() {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
    }
    if let fields, text[fields.lowerBound] == UInt8(ascii: "{") {
      Self.forEachMember(of: text, fields) { name, value in
        appendComma()
        bytes.append(text.extracting(name.lowerBound - 1..<name.upperBound + 1))
        bytes.append(UInt8(ascii: ":"))
        if due != nil, JSONString.isEqual(text, name, to: Self.dueDate) {
          appendDue(to: &bytes)
          isDueWritten = true
        } else if JSONString.isEqual(text, name, to: Self.assigned) {
          bytes.append(contentsOf: member ?? Array("null".utf8))
          isMemberWritten = true
        } else if Self.isAny(of: Self.clocks, text, name), !text.isNull(value) {
          bytes.append(contentsOf: "\"\(clock)\"".utf8)
        } else {
          bytes.append(text.extracting(value))
        }
      }
    }
    if !isDueWritten {
      appendComma()
      bytes.append(contentsOf: "\"dueDate\":".utf8)
      appendDue(to: &bytes)
    }
    if !isMemberWritten {
      appendComma()
      bytes.append(contentsOf: "\"assignedMemberID\":".utf8)
      bytes.append(contentsOf: member ?? Array("null".utf8))
    }
  }

  private func appendDue(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    CivilText.append(seconds: due ?? 0, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isAny(of names: [[UInt8]], _ text: Span<UInt8>, _ name: Range<Int>) -> Bool {
    names.contains { JSONString.isEqual(text, name, to: $0) }
  }

  /// `name` is the text between the quotes.
  private static func forEachMember(
    of text: Span<UInt8>, _ object: Range<Int>, _ body: (_ name: Range<Int>, _ value: Range<Int>) -> Void
  ) {
    var cursor = ContainerCursor(opening: object.lowerBound)
    while cursor.hasNext(in: text) {
      let name = cursor.readName(in: text)
      body(name, cursor.passValue(in: text))
    }
  }
}

/// The lines of new occurrences of a template, complete except for ids and dates.
struct OccurrenceMold {
  /// One line for each member, and a last line without a member.
  private let lines: [[UInt8]]
  /// The two positions of the id.
  private let ids: (Int, Int)
  /// The position of the due date.
  private let due: Int
  /// The position of the planning date, counted from the end, as the part before it differs in length.
  private let planned: Int

  init(_ template: Template, clock: Instant, in household: Household) {
    let (id, date) = (String(repeating: "?", count: 36), String(repeating: "?", count: 20))
    var line = Array("{\"entityName\":\"Occurrence\",\"identity\":{\"id\":\"".utf8)
    let first = line.count
    line += "\(id)\"},\"modifiedAt\":\"\(clock)\",\"fields\":{\"id\":\"".utf8
    ids = (first, line.count)
    line += Array("\(id)\",\"templateID\":".utf8) + template.spelling + Array(",\"dueDate\":\"".utf8)
    due = line.count
    line += "\(date)\",\"statusRaw\":\"pending\"".utf8
    let end = Array(",\"scheduledAt\":\"\(date)\"}}\n".utf8)
    planned = date.utf8.count + 4
    let assigned = Array(",\"assignedMemberID\":".utf8)
    lines = household.members.map { line + assigned + $0.spelling + end } + [line + end]
  }

  /// Appends a copy of a line, then overwrites the parts that differ.
  @inline(__always)
  func append(_ id: UUIDValue, due seconds: Int, member: Int?, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: lines[member ?? lines.count - 1])
    let end = bytes.count
    let (letters, date) = (id.letters, CivilText.letters(ofSeconds: seconds))
    var line = bytes.mutableSpan
    letters.store(in: &line, at: start + ids.0)
    letters.store(in: &line, at: start + ids.1)
    date.store(in: &line, at: start + due)
    date.store(in: &line, at: end - planned)
  }
}
