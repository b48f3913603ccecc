import Testing

/// Programs that may be missing.
@Suite struct ProgramTests {
  @Test func shellIsFound() { #expect(Program.find("sh")?.hasSuffix("/sh") == true) }

  @Test func unknownProgramIsNotFound() { #expect(Program.find("no-such-program") == nil) }

  @Test func whatIsThereIsNotAskedFor() throws { try Program.require(["sh"], for: "this test") }
}
