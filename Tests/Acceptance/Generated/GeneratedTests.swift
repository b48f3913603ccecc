import Foundation
import ServerProtocol
import Testing

/// Checked-in generated files are as the code would make them now; `UPDATE_GENERATED=1` rewrites them.
@Suite struct GeneratedTests {
  @Test func exitStatusTables() async throws {
    let document = "docs/exit-status.md"
    try await check(
      GeneratedSection(document: document, name: "exit-status", text: ExitStatusTables.statuses))
    try await check(GeneratedSection(document: document, name: "error-codes", text: ExitStatusTables.codes))
  }

  @Test func conformance() async throws {
    let table = try ConformanceTable.text()
    try await check(GeneratedSection(document: "docs/mdns-conformance.md", name: "conformance", text: table))
  }

  @Test func pairingTable() async throws {
    try await check(
      GeneratedSection(document: "docs/formats/pairing.md", name: "pairing", text: PairingRows.text))
  }

  @Test func contextTable() async throws {
    let document = "docs/formats/application-context.md"
    try await check(GeneratedSection(document: document, name: "context", text: ContextRows.text))
  }

  @Test func routeTables() async throws {
    let (changes, planner) = ("docs/formats/changes.md", "docs/formats/planner.md")
    let first: [ServerRoute] = [.changes, .page, .metrics, .health, .openAPI]
    let sections = [
      GeneratedSection(document: changes, name: "requests", text: RouteRows.requests(first)),
      GeneratedSection(document: changes, name: "query-get", text: RouteRows.query(.changes, "GET")),
      GeneratedSection(document: changes, name: "query-post", text: RouteRows.query(.changes, "POST")),
      GeneratedSection(document: planner, name: "requests", text: RouteRows.requests([.sync, .devices])),
    ]
    for section in sections { try await check(section) }
  }

  @Test func modulePicture() async throws {
    let picture = ModulePicture(try await Manifest.current.value)
    try await check(GeneratedSection(document: "docs/architecture.md", name: "modules", text: picture.text))
  }

  @Test(arguments: Tools.names, ShellFile.allCases)
  func shellFile(tool: String, kind: ShellFile) async throws {
    let outcome = try await Sandbox(tools: Tools.folder).run("\(tool) --generate \(kind.rawValue)")
    try #require(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    try await check(String(decoding: outcome.output, as: UTF8.self), at: kind.path(of: tool))
  }

  @Test func nothingElseIsGenerated() {
    let expected = Tools.names.flatMap { name in ShellFile.allCases.map { $0.path(of: name) } }
    let found = ["man", "completions"].flatMap { Repository.files(in: $0, suffix: "") }
    #expect(Set(found).subtracting(expected) == [])
  }

  @Test func everyToolIsTested() async throws {
    let executables = try await Manifest.current.value.targets.filter { $0.kind == "executable" }
    #expect(executables.map(\.name).sorted() == Tools.names.sorted())
  }

  private func check(_ section: GeneratedSection) async throws {
    let text = try Repository.text(of: section.document)
    let markers = "\(section.document) needs <!-- \(section.name) --> and <!-- end -->"
    try await check(try #require(section.inserted(into: text), "\(markers)"), at: section.document)
  }

  private func check(_ text: String, at path: String) async throws {
    if Repository.isSet("UPDATE_GENERATED") { try Repository.write(text, to: path) }
    let current = try? Repository.text(of: path)
    guard current != text else { return }
    let lines = (current ?? "").textLines
    let line = zip(lines, text.textLines).prefix { $0 == $1 }.count + 1
    let wanted = text.textLines.dropFirst(line - 1).first ?? "no more lines"
    Issue.record(
      .init(line: line, message: "not what the code says; UPDATE_GENERATED=1 writes: \(wanted)"), in: path)
  }
}
