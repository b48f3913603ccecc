import JSONLines
import SyncCore

/// Lines by key in a dictionary: the expected result of `SortedLines`, computed the simple way.
struct ReferenceLines {
  struct Line: Equatable {
    var source: Int
    var number: Int
    var text: [UInt8]
    var change: ChangeLine

    static func == (a: Line, b: Line) -> Bool {
      a.source == b.source && a.number == b.number && a.text == b.text
    }
  }

  /// In the order of the keys' bytes.
  let keys: [(key: [UInt8], lines: [Line])]

  init(_ texts: [[UInt8]], _ shape: RecordShape = RecordShape()) throws {
    var reader = LineReader(shape)
    var found: [[UInt8]: [Line]] = [:]
    for (source, text) in texts.enumerated() {
      for (index, part) in text.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
        var line = Array(part)
        if line.allSatisfy({ [32, 9, 13].contains($0) }) { continue }
        while line.last == 13 { line.removeLast() }
        var key: [UInt8] = []
        let change = try reader.read(line.span, key: &key)
        guard change.kind != .checkpoint else { continue }
        found[key, default: []].append(Line(source: source, number: index + 1, text: line, change: change))
      }
    }
    keys = found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }
}

extension [ReferenceLines.Line] {
  /// The place of the largest, of lines with the same bytes the first.
  var winner: Int {
    var winner = 0
    for index in indices.dropFirst() {
      let (a, b) = (self[index], self[winner])
      if MergeOrder.compare(a.change, a.text.span, b.change, b.text.span).order > 0 { winner = index }
    }
    return winner
  }

  /// The change from source 0 to source 1.
  var difference: Delta.Change? {
    switch (live(in: 0), last(in: 1)) {
    case (nil, nil): nil
    case (let old?, nil): .delete(old)
    case (nil, let new?): self[new].change.isTombstone ? nil : .line(new, replacing: nil)
    case (let old?, let new?): isSame(old, new) ? nil : .line(new, replacing: old)
    }
  }

  /// The change that undoes source 1 after it has been applied to source 0.
  var inverse: Delta.Change? {
    switch (live(in: 0), last(in: 1)) {
    case (_, nil): nil
    case (nil, let change?): self[change].change.isTombstone ? nil : .delete(change)
    case (let base?, let change?): isSame(base, change) ? nil : .line(base, replacing: nil)
    }
  }

  /// The line that remains after source 1 has been applied to source 0.
  var result: Int? { last(in: 1) == nil ? live(in: 0) : live(in: 1) }

  private func last(in source: Int) -> Int? { lastIndex { $0.source == source } }

  private func live(in source: Int) -> Int? {
    last(in: source).flatMap { self[$0].change.isTombstone ? nil : $0 }
  }

  private func isSame(_ a: Int, _ b: Int) -> Bool {
    !self[a].change.isTombstone && !self[b].change.isTombstone
      && Self.canonical(self[a].text) == Self.canonical(self[b].text)
  }

  private static func canonical(_ text: [UInt8]) -> [UInt8] {
    var canonical: [UInt8] = []
    let start = text.firstIndex { $0 > 32 } ?? 0
    let end = text.lastIndex { $0 > 32 } ?? 0
    CanonicalJSON.append(text.span, start..<end + 1, to: &canonical)
    return canonical
  }
}
