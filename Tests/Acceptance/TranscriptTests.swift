import Testing

/// Every transcript and every document gives its stated output.
@Suite struct TranscriptTests {
  @Test(arguments: Repository.chosen(Repository.transcripts))
  func transcript(_ path: String) async throws { try await TranscriptRun.check(path) }

  @Test(arguments: Repository.chosen(Repository.documents))
  func document(_ path: String) async throws { try await TranscriptRun.check(path) }

  @Test func thereAreTranscripts() { #expect(!Repository.transcripts.isEmpty) }

  @Test(arguments: Tools.names)
  func toolIsFound(name: String) async throws {
    let place = try await Sandbox(tools: Tools.folder).run("command -v \(name)")
    #expect(place.rendering == ["\(Tools.folder)/\(name)"])
  }
}
