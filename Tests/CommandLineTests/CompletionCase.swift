import CommandLine
import TestSupport
import Testing

/// What a shell should offer for the last word of a line; the same for every shell.
struct CompletionCase: CustomTestStringConvertible {
  var line: String
  var words: Set<String>
  var tool = Fixture.tool
  var testDescription: String { tool.isGroup ? line : "\(line) (mixed)" }

  static let common = ["--errors", "--quiet", "--generate", "--help", "--version"]

  static let all: [CompletionCase] = [
    .init(line: "tool ", words: ["decode", "exec", "store"]),
    .init(line: "tool dec", words: ["decode"]),
    .init(line: "tool --errors json d", words: ["decode"]),
    .init(line: "tool --errors=json -q d", words: ["decode"]),
    .init(line: "tool store ", words: ["check-laws"]),
    .init(line: "tool --", words: Set(common)),
    .init(line: "tool exec --", words: Set(common + ["--verbose", "--limit"])),
    .init(line: "tool store check-laws --", words: Set(common)),
    .init(line: "tool decode --pre", words: ["--prefix"]),
    .init(line: "tool decode a.bin --pre", words: ["--prefix"]),
    .init(line: "tool decode -n a --na", words: ["--name"]),
    .init(line: "tool decode --prefix ", words: ["be32", "le16", "none"]),
    .init(line: "tool decode -p ", words: ["be32", "le16", "none"]),
    .init(line: "tool decode -cp ", words: ["be32", "le16", "none"]),
    .init(line: "tool decode --on-error s", words: ["stop", "skip"]),
    .init(line: "tool decode --errors j", words: ["json"]),
    .init(line: "tool decode a", words: ["a.bin", "a b.bin"]),
    .init(line: "tool decode --limit 16M a.", words: ["a.bin"]),
    .init(line: "tool decode --limit ", words: []),
    .init(line: "tool decode --rejects a.", words: ["a.bin"]),
    .init(line: "tool decode --secret=a.", words: ["a.bin"]),
    .init(line: "tool decode --prefix=l", words: ["le16"]),
    .init(line: "tool store check-laws a.", words: ["a.bin"]),
    .init(line: "tool exec only-here-", words: ["only-here-1"]),
    .init(line: "tool exec -v -- only-here-", words: ["only-here-1"]),
    .init(line: "tool exec only-here-1 --ver", words: []),
    .init(line: "tool exec cat a.", words: ["a.bin"]),
  ]

  /// A subcommand is the first word but for common options: after any other word, its name is that of a file.
  static let mixed: [CompletionCase] = [
    .init(line: "tool c", words: ["check-laws", "c.bin"]),
    .init(line: "tool ch", words: ["check-laws"]),
    .init(line: "tool a", words: ["a.bin", "a b.bin"]),
    .init(line: "tool a.bin c", words: ["c.bin"]),
    .init(line: "tool a.bin ch", words: []),
    .init(line: "tool - c", words: ["c.bin"]),
    .init(line: "tool -v c", words: ["c.bin"]),
    .init(line: "tool --limit 3 c", words: ["c.bin"]),
    .init(line: "tool --limit=3 c", words: ["c.bin"]),
    .init(line: "tool --limit ch", words: []),
    .init(line: "tool -q c", words: ["check-laws", "c.bin"]),
    .init(line: "tool -qq c", words: ["check-laws", "c.bin"]),
    .init(line: "tool --errors json c", words: ["check-laws", "c.bin"]),
    .init(line: "tool --errors=json --quiet c", words: ["check-laws", "c.bin"]),
    .init(line: "tool --errors json a.bin c", words: ["c.bin"]),
    .init(line: "tool -qv c", words: ["c.bin"]),
    .init(line: "tool -q -- c", words: ["c.bin"]),
    .init(line: "tool -v -q c", words: ["c.bin"]),
    .init(line: "tool --errors json -q check-laws --li", words: []),
    .init(line: "tool -q -v check-laws --li", words: ["--limit"]),
    .init(line: "tool --errors c", words: []),
    .init(line: "tool -- c", words: ["c.bin"]),
    .init(line: "tool --", words: Set(common + ["--verbose", "--limit"])),
    .init(line: "tool a.bin --verb", words: ["--verbose"]),
    .init(line: "tool a.bin check-laws --verb", words: ["--verbose"]),
    .init(line: "tool --limit 3 check-laws --verb", words: ["--verbose"]),
    .init(line: "tool check-laws --", words: Set(common)),
    .init(line: "tool check-laws c", words: ["c.bin"]),
    .init(line: "tool check-laws a.bin c", words: ["c.bin"]),
  ].map { (example: CompletionCase) in
    var example = example
    example.tool = Fixture.mixed
    return example
  }

  /// Values that a command prints.
  static let listed: [CompletionCase] = [
    .init(line: "tool B", words: ["Bob"]),
    .init(line: "tool Bob di", words: ["dir:/stick"]),
    .init(line: "tool --peer B", words: ["Bob"]),
    .init(line: "tool --peer=B", words: ["Bob"]),
    .init(line: "tool -p B", words: ["Bob"]),
    .init(line: "tool a.b", words: []),
    .init(line: "tool --p", words: ["--peer"]),
  ].map { (example: CompletionCase) in
    var example = example
    example.tool = Fixture.listed
    return example
  }

  /// A folder with the files that the lines are about, and a program in `bin`.
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["a.bin", "a b.bin", "c.bin"] { try folder.write("", to: name) }
    try folder.makeFolder("bin")
    try folder.write("#!/bin/sh\n", to: "bin/only-here-1", mode: 0o755)
    return folder
  }
}
