import JSONLines
import SyncCore

/// Lines read under a profile.
struct RuleLines {
  private struct Line {
    var text: [UInt8]
    var key: [UInt8]
    var change: ChangeLine
  }

  private let lines: [Line]

  init(_ texts: [String], profile: String) throws {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    var reader = LineReader(shape)
    lines = try texts.map { text in
      let text = Array(text.utf8)
      var key: [UInt8] = []
      let change = try reader.read(text.span, key: &key)
      return Line(text: text, key: key, change: change)
    }
  }

  var count: Int { lines.count }

  /// Positive if line `i` wins over line `j`.
  func compare(_ i: Int, _ j: Int) -> (order: Int, step: MergeOrder.Step) {
    let (a, b) = (lines[i], lines[j])
    return MergeOrder.compare(a.change, a.text.span, b.change, b.text.span)
  }

  func ruleName(_ i: Int) -> String { lines[i].change.facts.ruleName }

  func haveSameKey(_ i: Int, _ j: Int) -> Bool { lines[i].key == lines[j].key }

  var haveOneKey: Bool { lines.allSatisfy { $0.key == lines[0].key } }
}
