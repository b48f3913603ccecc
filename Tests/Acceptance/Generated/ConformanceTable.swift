import Foundation

/// The table of docs/mdns-conformance.md, made from the names of the tests.
enum ConformanceTable {
  /// A test's name has its section, its level and its requirement: `RFC 6762 §7.1 MUST: …`.
  struct Row: Equatable {
    var section: String
    var level: String
    var requirement: String
    var suite: String
  }

  static func text() throws -> String {
    let paths = Repository.files(in: "Tests/DiscoveryTests/Conformance", suffix: ".swift")
    let all = try paths.flatMap { rows(in: try Repository.text(of: $0), suite: suite($0)) }
    let sorted = all.sorted {
      ($0.key, $0.row.level, $0.row.requirement) < ($1.key, $1.row.level, $1.row.requirement)
    }
    let cells = sorted.map {
      "| \($0.row.section) | \($0.row.level) | \($0.row.requirement) | `\($0.row.suite)` |\n"
    }
    return "| section | level | what holds | tests |\n| --- | --- | --- | --- |\n" + cells.joined()
  }

  /// The rows of a file of tests; a name in another form is left out.
  static func rows(in source: String, suite: String) -> [(key: String, row: Row)] {
    source.split(separator: "\"").compactMap { text in
      guard text.hasPrefix("RFC "), let colon = text.firstRange(of: ": ") else { return nil }
      let words = text[..<colon.lowerBound].split(separator: " ")
      guard words.count == 4, words[2].hasPrefix("§") else { return nil }
      let row = Row(
        section: words[...2].joined(separator: " "), level: String(words[3]),
        requirement: String(text[colon.upperBound...]), suite: suite)
      return (key(of: words), row)
    }
  }

  private static func suite(_ path: String) -> String {
    String(path.split(separator: "/").last?.dropLast(".swift".count) ?? "")
  }

  /// Sections in the order of their numbers: §8.2.1 behind §8.2, §10 behind §9.
  private static func key(of words: [Substring]) -> String {
    let numbers = words[2].dropFirst().split(separator: ".").map {
      String(repeating: "0", count: 3 - $0.count) + $0
    }
    return words[1] + " " + numbers.joined(separator: ".")
  }
}
