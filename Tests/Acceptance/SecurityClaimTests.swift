import Testing

/// Every claim of docs/security.md has tests, and they exist.
@Suite struct SecurityClaimTests {
  /// The rows of the tables of claims: each claim, and its evidence.
  private static let rows: [(claim: String, cell: String)] = {
    let text = (try? Repository.text(of: "docs/security.md")) ?? ""
    let rows = text.textLines.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| claim") }
    return rows.map { row in
      let cells = row.split(separator: "|").map(String.init)
      return (cells[0], cells.count > 1 ? cells[1] : "")
    }
  }()

  private static let claims: [(claim: String, evidence: [String])] = rows.map { claim, cell in
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    return (claim, parts.indices.filter { !$0.isMultiple(of: 2) }.map { parts[$0] })
  }

  private static let files = Repository.files(in: "Tests", suffix: "")
  private static let sources = files.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".py") }
    .compactMap { try? Repository.text(of: $0) }.joined()

  @Test func thereAreClaims() { #expect(Self.claims.count > 20) }

  @Test func everyClaimNamesTestsThatAreThere() {
    for (claim, evidence) in Self.claims {
      #expect(!evidence.isEmpty, "nothing shows:\(claim)")
      for name in evidence { #expect(Self.exists(name), "\(name) is not there, which is to show:\(claim)") }
    }
  }

  /// The words after the name of a transcript appear in one of its comments.
  @Test func everyTranscriptSaysSo() throws {
    for (claim, cell) in Self.rows {
      for part in cell.split(separator: ";") {
        let words = part.split(separator: "`:", maxSplits: 1).map(String.init)
        guard words.count == 2, let name = words[0].split(separator: "`").last, name.hasSuffix(".trn") else {
          continue
        }
        let comments = try Repository.text(of: "Tests/Acceptance/Cases/\(name)").textLines
          .filter { $0.hasPrefix("#") }.map { $0.lowercased() }
        for phrase in words[1].split(separator: ", ") {
          let phrase = phrase.trimmingPrefix(" ").lowercased().split(separator: " ").joined(separator: " ")
          #expect(
            comments.contains { $0.contains(phrase) }, "\(name) has no '\(phrase)', which is to show:\(claim)"
          )
        }
      }
    }
  }

  private static func exists(_ name: String) -> Bool {
    if name.contains(".") { return files.contains { $0.hasSuffix("/\(name)") } }
    return ["struct \(name) ", "func \(name)(", "def \(name)("].contains { sources.contains($0) }
  }
}
