import JSONLines
import SyncCore
import Testing

/// Texts of change lines, as the tools read them.
enum Lines {
  /// The lines of some texts, each its own source; an unreadable line is a failure.
  static func sorted(_ texts: [String], _ shape: RecordShape = RecordShape()) -> SortedLines {
    SortedLines(texts.map { Array($0.utf8) }, shape) { error, source, line in
      Issue.record("\(error): line \(line) of text \(source)")
    }
  }

  static func merged(_ texts: [String]) -> String {
    var winners = ""
    sorted(texts).forEachKey { lines, reader in
      winners += lines.string(Merge.winner(of: lines, &reader)) + "\n"
    }
    return winners
  }
}

extension KeyLines {
  func string(_ index: Int) -> String { String(copying: text(index)) }
}

extension String {
  init(copying text: Span<UInt8>) {
    self = String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
  }
}
