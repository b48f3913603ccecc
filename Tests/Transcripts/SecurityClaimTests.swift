import Testing

/// Every claim of docs/security.md has tests, and they are there.
@Suite struct SecurityClaimTests {
  /// The rows of the tables of claims: what is claimed, and by which tests it is shown.
  private static let claims: [(claim: String, evidence: [String])] = {
    let text = (try? Repository.text(of: "docs/security.md")) ?? ""
    let rows = text.textLines.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| claim") }
    return rows.map { row in
      let cells = row.split(separator: "|").map(String.init)
      let parts = (cells.last ?? "").split(separator: "`", omittingEmptySubsequences: false).map(String.init)
      return (cells[0], parts.indices.filter { !$0.isMultiple(of: 2) }.map { parts[$0] })
    }
  }()

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

  private static func exists(_ name: String) -> Bool {
    // An option that a test is about.
    if name.hasPrefix("-") { return true }
    if name.contains(".") { return files.contains { $0.hasSuffix("/\(name)") } }
    return ["struct \(name) ", "func \(name)(", "def \(name)("].contains { sources.contains($0) }
  }
}
