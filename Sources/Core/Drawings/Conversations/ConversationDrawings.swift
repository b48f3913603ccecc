/// The conversations of a file, in the order in which they begin.
package struct ConversationDrawings: Sendable {
  /// The limit of drawn messages; further messages are only counted.
  package static let mostRows = 10_000

  package private(set) var drawings: [ConversationDrawing] = []
  package private(set) var leftOut = LeftOut()
  /// The line of the last message, drawn or not; 0 without messages.
  package private(set) var lastLine = 0
  private var places: [Int?: Int] = [:]
  private var count = 0
  private let lines: ClosedRange<Int>
  private let showsContent: Bool

  /// Creates the drawings of the messages on these lines.
  package init(lines: ClosedRange<Int>, showsContent: Bool) {
    (self.lines, self.showsContent) = (lines, showsContent)
  }

  /// Adds the next line; `name` is the sending side, if its file is known.
  package mutating func add(
    _ line: Span<UInt8>, _ number: Int, _ found: ConversationDrawing.Found, stream: Int?, of name: String?
  ) {
    lastLine = max(lastLine, number)
    let isWanted = lines.contains(number)
    let isDrawn = isWanted && count < Self.mostRows
    if isWanted, !isDrawn { leftOut.add(line: number) }
    if isDrawn { count += 1 }
    guard isDrawn || places[stream] != nil || drawings.count < Self.mostRows else { return }
    let index = places[stream] ?? drawings.count
    if index == drawings.count {
      drawings.append(ConversationDrawing(stream: stream))
      places[stream] = index
    }
    drawings[index].add(line, number, found, of: name, isDrawn: isDrawn, showsContent: showsContent)
  }

  /// The conversations that are drawn at least in part.
  package var shown: [ConversationDrawing] { drawings.filter { !$0.rows.isEmpty } }
}

/// The messages that did not fit into a drawing.
package struct LeftOut: Equatable, Sendable {
  package private(set) var count = 0
  /// The line of the first such message.
  package private(set) var line = Int.max

  mutating func add(line: Int, count: Int = 1) {
    self.count += count
    self.line = min(self.line, line)
  }
}
