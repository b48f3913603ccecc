import Foundation
@testable import SystemIO
import TestSupport
import Testing

@Suite struct ByteStreamTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 255 << 10, 256 << 10, (256 << 10) + 1, 1 << 20])
  func wholeFilesAreRead(count: Int) throws {
    let path = try folder.write(String(repeating: "x", count: count), to: "file")
    #expect(try ByteInput.contents(of: path).count == count)
  }

  @Test func whatCannotBeReadIsToldAtOpening() throws {
    #expect(throws: SystemError(.open, folder.path("none"), code: ENOENT)) {
      _ = try ByteInput(opening: folder.path("none"))
    }
    #expect(throws: SystemError(.open, folder.url.path, code: EISDIR)) {
      _ = try ByteInput(opening: folder.url.path)
    }
  }

  @Test func outputIsGatheredUntilItIsFlushed() throws {
    let pipe = Pipe()
    let reader = Descriptor(owning: pipe.readEnd, name: "pipe")
    var output = ByteOutput(Descriptor(owning: pipe.writeEnd, name: "pipe"))
    try output.write(65)
    try output.write([66, 67])
    #expect(!Readiness.isReadable(pipe.readEnd))
    try output.flush()
    var window = ByteWindow()
    let count = try window.fill(from: reader)
    #expect(Array(window.storage[..<count]) == [65, 66, 67])
  }

  @Test func outputStaysWhereTheReadDoesNotBlock() throws {
    let (question, answer) = (Pipe(), Pipe())
    let input = ByteInput(Descriptor(owning: question.readEnd, name: "in"))
    var output = ByteOutput(Descriptor(owning: answer.writeEnd, name: "out"))
    var window = ByteWindow()
    try output.write([1])
    _ = unsafe write(question.writeEnd, [7, 8] as [UInt8], 2)
    #expect(try input.read(into: &window, flushing: &output) == 2)
    #expect(!Readiness.isReadable(answer.readEnd))
    close(question.writeEnd)
    #expect(try input.read(into: &window, flushing: &output) == 0)
  }

  @Test("A peer that answers only what it has been asked gets the question before the read blocks")
  func outputIsFlushedBeforeAReadThatBlocks() throws {
    let (question, answer) = (Pipe(), Pipe())
    Thread.detachNewThread {
      var byte: UInt8 = 0
      var entry = pollfd(fd: question.readEnd, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&entry, 1, 5000) == 1, unsafe read(question.readEnd, &byte, 1) == 1 {
        _ = unsafe write(answer.writeEnd, &byte, 1)
      }
      close(answer.writeEnd)
    }
    let input = ByteInput(Descriptor(owning: answer.readEnd, name: "in"))
    var output = ByteOutput(Descriptor(owning: question.writeEnd, name: "out"))
    var window = ByteWindow()
    try output.write([42])
    #expect(try input.read(into: &window, flushing: &output) == 1)
    #expect(window.storage[0] == 42)
  }

  @Test func aFullDiskIsAnErrorOfWriting() throws {
    #expect(throws: SystemError(.write, "/dev/full", code: ENOSPC)) {
      var output = ByteOutput(Descriptor(owning: unsafe open("/dev/full", O_WRONLY), name: "/dev/full"))
      try output.write([1])
      try output.flush()
    }
  }

  @Test func errorsAreNamedInTheSystemsWords() {
    #expect(SystemError(.open, "a", code: ENOENT).reason == "no such file or directory")
    #expect(SystemError(.open, "a", code: ENOENT).isMissing)
    #expect(SystemError(.write, "-", code: EPIPE).isBrokenPipe)
    #expect(!SystemError(.read, "-", code: EPIPE).isBrokenPipe)
    #expect(SystemError(.read, "-", code: EINTR).isInterruption)
    #expect(SystemError(.open, "a", code: EACCES).isDenied)
    #expect(!SystemError(.open, "a", code: EPERM).isDenied, "permissions are not the cause")
  }
}
