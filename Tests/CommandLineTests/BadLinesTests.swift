import JSONLines
@testable import CommandLine
import Foundation
import TestSupport
import Testing

@Suite struct BadLinesTests {
  private let console = Console(tool: "tool", format: .text, quiet: true)
  private let diagnostic = Diagnostic(.noKey, "no key", file: "in", line: 2)

  private func settings(_ policy: BadLineSettings.Policy, rejects: String? = nil) -> BadLineSettings {
    var settings = BadLineSettings()
    settings.policy = policy
    settings.rejects = rejects.flatMap(FilePath.init(argument:))
    return settings
  }

  @Test func theFirstBadLineStopsTheRunByDefault() throws {
    let folder = try TemporaryFolder()
    let rejects = folder.path("rejects")
    let error = #expect(throws: Diagnostic.self) {
      var badLines = try BadLines(settings(.stop, rejects: rejects), on: console)
      try badLines.leaveOut(Array("bad".utf8).span, because: diagnostic)
    }
    #expect(error == diagnostic)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func skippedLinesAreKeptByteForByteAndTheRunIs65() throws {
    let folder = try TemporaryFolder()
    let rejects = folder.path("rejects")
    var badLines = try BadLines(settings(.skip, rejects: rejects), on: console)
    let empty: [UInt8] = []
    try badLines.leaveOut([0xff, 0x00, 0x0d].span, because: diagnostic)
    try badLines.leaveOut(empty.span, because: diagnostic)
    #expect(badLines.count == 2)
    #expect(try badLines.finish() == .badData)
    #expect(FileManager.default.contents(atPath: rejects) == Data([0xff, 0x00, 0x0d, 10, 10]))
  }

  @Test func withoutBadLinesTheStatusIsTheRunsOwn() throws {
    let folder = try TemporaryFolder()
    var badLines = try BadLines(settings(.skip, rejects: folder.path("rejects")), on: console)
    #expect(try badLines.finish(.no) == .no)
    #expect(FileManager.default.contents(atPath: folder.path("rejects")) == Data())
  }

  @Test func everySkippedLineIsReportedAndThenTheirNumber() async throws {
    let result = await #expect(processExitsWith: .exitCode(65), observing: [\.standardErrorContent]) {
      var settings = BadLineSettings()
      settings.policy = .skip
      var badLines = try BadLines(settings, on: Console(tool: "tool", format: .text, quiet: true))
      try badLines.leaveOut([1].span, because: Diagnostic(.noKey, "no key", file: "in", line: 2))
      try badLines.leaveOut([1].span, because: Diagnostic(.noKey, "no key", file: "in", line: 5))
      exit(try badLines.finish(.no).rawValue)
    }
    #expect(result.errors == "tool: in: line 2: no key\ntool: in: line 5: no key\ntool: 2 left out\n")
  }
}
