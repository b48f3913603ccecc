import Testing

/// Every transcript and every document does what it says.
@Suite struct TranscriptTests {
  @Test(arguments: Repository.transcripts)
  func transcript(_ path: String) throws { try TranscriptRun.check(path) }

  @Test(arguments: Repository.documents)
  func document(_ path: String) throws { try TranscriptRun.check(path) }

  @Test func thereAreTranscripts() { #expect(!Repository.transcripts.isEmpty) }
}
