@testable import CommandLine
import JSONLines
import Testing

@Suite struct OptionValueTests {
  @Test(arguments: [
    ("0", 0), ("7", 7), ("7B", 7), ("512K", 524_288), ("16M", 16_777_216), ("3G", 3_221_225_472),
    ("2T", 2_199_023_255_552), ("1048576T", 1 << 60),
  ])
  func sizes(text: String, bytes: Int) {
    #expect(ByteSize(argument: text) == ByteSize(bytes: bytes))
  }

  @Test(arguments: [
    "", "K", "-1", "+1", "1.5M", "1 M", "1k", "1KB", "1KiB", "0x10", "８", "1048577T", "8388608T",
    "9223372036854775808",
  ])
  func noSizes(text: String) {
    #expect(ByteSize(argument: text) == nil)
  }

  @Test(arguments: [
    ("500ms", 500), ("90s", 90_000), ("5m", 300_000), ("2h", 7_200_000), ("7d", 604_800_000), ("0s", 0),
    ("9223372036854775807ms", 9_223_372_036_854_775_807),
  ])
  func durations(text: String, milliseconds: Int64) {
    #expect(Duration(argument: text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", "5", "m", "ms", "-5m", "+5m", "5 m", "1.5h", "5M", "5w", "5mm", "9223372036854775807s",
    "9223372036854775808ms", "106751991168d",
  ])
  func noDurations(text: String) {
    #expect(Duration(argument: text) == nil)
  }

  @Test func wholeNumbers() {
    #expect(Int(argument: "42") == 42)
    #expect(Int(argument: "-42") == -42)
    for text in ["", "4.0", "4 ", "9223372036854775808"] { #expect(Int(argument: text) == nil) }
  }

  @Test func choices() {
    #expect(BadLineSettings.Policy(argument: "skip") == .skip)
    #expect(BadLineSettings.Policy(argument: "Skip") == nil)
    #expect(BadLineSettings.Policy.completion == .choices(["stop", "skip"]))
    #expect(BadLineSettings.Policy.expectation == "one of stop, skip")
  }

  @Test func paths() {
    #expect(FilePath(argument: "-")?.path == "-")
    #expect(FilePath(argument: "") == nil)
    #expect(FilePath.completion == .file)
  }

  @Test func secretSources() {
    #expect(SecretSource(argument: "-")?.place == .standardInput)
    #expect(SecretSource(argument: "env:TOKEN")?.place == .environment("TOKEN"))
    #expect(SecretSource(argument: "./env:TOKEN")?.place == .file("./env:TOKEN"))
    #expect(SecretSource(argument: "env:") == nil)
    #expect(SecretSource(argument: "") == nil)
  }

  @Test("An optional value parses, completes and complains as the value itself")
  func optionals() {
    #expect(Int?(argument: "5") == .some(.some(5)))
    #expect(Int?(argument: "five") == nil)
    #expect(FilePath?.completion == .file)
    #expect(Duration?.valueName == "DURATION")
    #expect(Duration?.expectation == Duration.expectation)
  }

  @Test func theMessageSaysWhatIsAccepted() {
    let error = #expect(throws: UsageError.self) { try ByteSize(argument: "1k", of: "limit") }
    #expect(
      error?.diagnostic(in: "tool").text == "option '--limit': '1k' is not a size such as 512K or 16M")
  }
}
