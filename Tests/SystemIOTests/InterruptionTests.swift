import Foundation
@testable import SystemIO
import Testing

/// Each in a separate process, because signals belong to the process.
@Suite struct InterruptionTests {
  @Test(arguments: [SIGINT, SIGTERM]) func theFirstSignalIsRemembered(number: CInt) async {
    await #expect(processExitsWith: .success) { [number = number as CInt] in
      install()
      guard Interruption.pending == nil else { exit(2) }
      raise(number)
      guard Interruption.pending == number else { exit(3) }
      exit(Readiness.isReadable(Interruption.descriptor) ? 0 : 4)
    }
  }

  @Test func theSecondSignalEndsTheProcess() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      install()
      raise(SIGTERM)
      raise(SIGTERM)
      exit(0)
    }
  }

  @Test(arguments: [[SIGTERM, SIGTERM], [SIGTERM, SIGINT]]) func aSecondSignalIsHeeded(numbers: [CInt]) async
  {
    await #expect(processExitsWith: .success) { [numbers = numbers as [CInt]] in
      install()
      Interruption.heedSecond()
      raise(numbers[0])
      guard Interruption.pending == numbers[0], !Interruption.isInsisted else { exit(2) }
      guard !Readiness.isReadable(Interruption.secondDescriptor) else { exit(3) }
      raise(numbers[1])
      guard Interruption.isInsisted, Interruption.pending == numbers[0] else { exit(4) }
      exit(Readiness.isReadable(Interruption.secondDescriptor) ? 0 : 5)
    }
  }

  @Test func theThirdSignalEndsTheProcess() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      install()
      Interruption.heedSecond()
      for _ in 1...3 { raise(SIGTERM) }
      exit(0)
    }
  }

  @Test func aBlockedReadEndsAsAnInterruption() async {
    await #expect(processExitsWith: .success) {
      Interruption.install()
      let pipe = Pipe()
      let input = ByteInput(Descriptor(owning: pipe.readEnd, name: "in"))
      var output = ByteOutput.standardOutput
      var window = ByteWindow()
      let thread = Thread {
        usleep(100_000)
        kill(getpid(), SIGINT)
      }
      thread.start()
      alarm(10)
      do throws(SystemError) {
        _ = try input.read(into: &window, flushing: &output)
        exit(3)
      } catch {
        exit(error.isInterruption && Interruption.pending == SIGINT ? 0 : 4)
      }
    }
  }

  @Test func whatWasIgnoredStaysIgnored() async {
    await #expect(processExitsWith: .success) {
      signal(SIGINT, SIG_IGN)
      install()
      raise(SIGINT)
      raise(SIGINT)
      exit(Interruption.pending == nil ? 0 : 2)
    }
  }

  @Test func aBrokenPipeIsAnErrorAfterInstalling() async {
    await #expect(processExitsWith: .success) {
      Interruption.install()
      let pipe = Pipe()
      close(pipe.readEnd)
      let broken = Descriptor(owning: pipe.writeEnd, name: "out")
      do throws(SystemError) {
        try broken.write("x")
        exit(3)
      } catch {
        exit(error.isBrokenPipe ? 0 : 4)
      }
    }
  }

  @Test func endingByASignalIsSeenByTheCaller() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      Interruption.install()
      Interruption.end(by: SIGINT)
    }
  }

  @Test("A signal between a call and its errno leaves the errno alone") func errnoIsKept() async {
    await #expect(processExitsWith: .success) {
      install()
      // The handler's write fails with this error, which must not show.
      close(Interruption.descriptor)
      signal(SIGPIPE, SIG_IGN)
      errno = ENOSPC
      raise(SIGTERM)
      exit(errno == ENOSPC ? 0 : 2)
    }
  }
}

/// Installs the handler, and unblocks signals for this thread: Dispatch's threads block them.
private func install() {
  Interruption.install()
  var all = sigset_t()
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_UNBLOCK, &all, nil)
}
