package import Captures
import JSONLines
import SyncCore

/// The drawn form of a conversation: the two sides, and their messages in order.
package struct ConversationDrawing: Sendable {
  struct Row: Sendable {
    /// The line of the file.
    var line: Int
    var side: ConversationSides.Side
    var time: Instant?
    /// Whether the row is for bytes that are not a message.
    var isLost: Bool
    var label: String
    var findings: [String] = []
    var content: [String] = []
  }

  package enum Found {
    case message(ConversationLine, [ConversationFinding])
    case lost(MessagePlace, ConversationLine.LostBytes)
  }

  let stream: Int?
  private(set) var rows: [Row] = []
  private(set) var sides = ConversationSides()
  private(set) var findings = 0
  private var version: Int?

  init(stream: Int?) { self.stream = stream }

  /// Adds the next line; a line that is not drawn does not receive a row.
  mutating func add(
    _ line: Span<UInt8>, _ number: Int, _ found: Found, of name: String?, isDrawn: Bool, showsContent: Bool
  ) {
    switch found {
    case .message(let message, let findings):
      add(line, number, message, findings, name, isDrawn: isDrawn, showsContent: showsContent)
    case .lost(let place, let bytes):
      let side = sides.side(of: .init(name: name ?? place.from, receiver: name == nil ? place.to : nil))
      guard isDrawn else { return }
      let size = place.length.map { ", " + MessageLabel.amount($0, "byte") } ?? ""
      rows.append(
        Row(
          line: number, side: side, time: place.time, isLost: true,
          label: (bytes.code.isEmpty ? "error" : bytes.code.shown) + size))
    }
  }

  private mutating func add(
    _ line: Span<UInt8>, _ number: Int, _ found: ConversationLine, _ findings: [ConversationFinding],
    _ name: String?,
    isDrawn: Bool, showsContent: Bool
  ) {
    guard let members = try? MessageMembers(line, found.message) else { return }
    let peer = MessageLabel.word(.peerId, members, line)
    let side = sides.side(
      of: .init(
        name: name ?? found.place.from, receiver: name == nil ? found.place.to : nil, peer: peer))
    let said = MessageLabel.number(.protocolVersion, members, line)
    defer { version = version ?? said }
    guard isDrawn else { return }
    self.findings += findings.count
    var row = Row(
      line: number, side: side, time: found.place.time, isLost: false,
      label: MessageLabel.words(members, in: line))
    if let said, let version, said != version { row.label += ", version \(said)" }
    row.label += ", " + MessageLabel.amount(found.place.length ?? found.message.count, "byte")
    row.findings = findings.map {
      "\($0.code.rawValue): \(showsContent ? $0.message : FindingText.withoutContent($0))"
    }
    if showsContent { row.content = MessageContent.lines(found.message, in: line) }
    rows.append(row)
  }

  /// `Stream 1, version 2, 2026-12-01, 6 messages, 1 finding`.
  var title: String {
    let messages = rows.count { !$0.isLost }
    let parts = [
      stream.map { "stream \($0)" }, version.map { "version \($0)" },
      rows.lazy.compactMap(\.time).first?.date,
      MessageLabel.amount(messages, "message"),
      rows.count > messages ? "\(MessageLabel.amount(rows.count - messages, "break"))" : nil,
      findings > 0 ? MessageLabel.amount(findings, "finding") : nil,
    ]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The text between two rows if time has passed or a new day has begun.
  func pause(before index: Int) -> String? {
    guard index > 0, let time = rows[index].time,
      let before = rows[..<index].last(where: { $0.time != nil })?.time
    else { return nil }
    let parts = [time.pause(after: before), time.date == before.date ? nil : time.date]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return text.isEmpty ? nil : text
  }
}

extension Instant {
  /// `2026-12-01`, in UTC.
  fileprivate var date: String { String(description.prefix { $0 != "T" }) }

  /// `08:00:00.100`, in UTC.
  var timeOfDay: String {
    let text = description.drop { $0 != "T" }.dropFirst().prefix { $0 != "Z" }
    let whole = text.contains(".") ? text + "000" : text + ".000"
    return String(whole.prefix(12))
  }

  /// `30.2 s later`; nil for less than a second, or if the clock went back.
  fileprivate func pause(after other: Instant) -> String? {
    let tenths = (seconds - other.seconds) * 10 + Int64((nanoseconds - other.nanoseconds) / 100_000_000)
    guard tenths >= 10 else { return nil }
    let seconds = tenths / 10
    if seconds < 60 { return "\(seconds).\(tenths % 10) s later" }
    if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s later" }
    return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min later"
  }
}
