import Testing

/// The shell scripts of this package.
@Suite struct ScriptTests {
  private static let scripts =
    Repository.files(in: ".ci", suffix: "") + Repository.files(in: "Tests", suffix: ".sh")

  @Test(.needs("shellcheck"), arguments: scripts)
  func shellcheckHasNoComplaint(path: String) throws {
    let script = try Repository.text(of: path)
    let sandbox = try Sandbox(tools: Tools.folder)
    try sandbox.write(script, to: "script")
    let complaints = try sandbox.run("shellcheck --norc --color=never script").rendering
    #expect(complaints == [])
  }
}
