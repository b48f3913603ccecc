import Foundation
import JSONLines
import SystemIO
import TestSupport
import Testing

@Suite struct SideLogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let begun = SideLog.Kind("diary", isOfOneRun: true) { $0.first == "diary" }
  private static let added = SideLog.Kind("diary", isOfOneRun: false) { $0.first == "diary" }

  private func contents(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  private func write(_ text: String, to log: SideLog) { log.write(Array(text.utf8).span) }

  @Test func onlyItsOwnKindIsTakenOver() throws {
    let diary = try folder.write("diary\nold\n", to: "diary", mode: 0o644)
    write("new\n", to: try SideLog(diary, Self.added))
    #expect(contents(diary) == "diary\nold\nnew\n")
    write("anew\n", to: try SideLog(diary, Self.begun))
    #expect(contents(diary) == "anew\n")
    #expect(FileMode.permissions(of: diary) == 0o600)
    let other = try folder.write("other\n", to: "other", mode: 0o644)
    for kind in [Self.begun, Self.added] {
      #expect { try SideLog(other, kind) } throws: { ($0 as? Diagnostic)?.code == .cannotCreate }
    }
    #expect(contents(other) == "other\n")
    #expect(FileMode.permissions(of: other) == 0o644)
  }

  @Test func oneRunAtATimeBeginsIt() throws {
    let path = folder.path("diary")
    let first = try SideLog(path, Self.begun)
    write("diary\n", to: first)
    #expect { try SideLog(path, Self.begun) } throws: { ($0 as? Diagnostic)?.code == .storeBusy }
    write("more\n", to: first)
    #expect(contents(path) == "diary\nmore\n")
  }

  @Test func nobodyIsWaitedFor() throws {
    let pipe = folder.path("pipe")
    let made = unsafe mkfifo(pipe, 0o600)
    #expect(made == 0)
    #expect { try SideLog(pipe, Self.begun) } throws: { ($0 as? Diagnostic)?.code == .cannotCreate }
    let reader = unsafe FileHandle(fileDescriptor: open(pipe, O_RDONLY | O_NONBLOCK), closeOnDealloc: true)
    write("line\n", to: try SideLog(pipe, Self.begun))
    #expect(String(decoding: reader.availableData, as: UTF8.self) == "line\n")
  }

  @Test func whatIsLostIsKnown() throws {
    let log = try SideLog("/dev/full", Self.begun)
    #expect(log.failure == nil)
    write("line\n", to: log)
    #expect(log.failure?.isFull == true)
  }
}
