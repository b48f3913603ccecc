import JSONLines
@testable import CommandLine
import Foundation
import Testing

@Suite struct ProgressTests {
  @Test(arguments: [
    (0, 0, 1, "0 B, 0 B/s"), (5 << 20, 0, 2, "5.0 MiB, 2.5 MiB/s"),
    (5 << 20, 10 << 20, 2, "5.0 MiB of 10.0 MiB (50 %), 2.5 MiB/s, 3 s left"),
    (11 << 20, 10 << 20, 1, "11.0 MiB of 10.0 MiB (100 %), 11.0 MiB/s"),
    (1 << 20, 1_000 << 20, 1, "1.0 MiB of 0.9 GiB (0 %), 1.0 MiB/s, 16 min left"),
    (1 << 20, 1 << 50, 1, "1.0 MiB of 1024.0 TiB (0 %), 1.0 MiB/s, 298261 h left"),
    (1_023, 2_000, 1, "0.9 KiB of 1.9 KiB (51 %), 0.9 KiB/s, 1 s left"),
  ])
  func amounts(done: Int, total: Int, seconds: Int, text: String) {
    #expect(Progress.amount(done, of: total, after: .seconds(seconds)) == text)
  }

  @Test func amountsOfOtherThings() {
    #expect(
      Progress.amount(500, of: 2_000, after: .seconds(2), "changes")
        == "500 of 2000 changes (25 %), 250/s, 7 s left")
  }

  @Test func nothingIsShownWhereStandardErrorIsNoTerminal() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      mark(STDERR_FILENO)
      do {
        var progress = Progress("reading", on: Console(tool: "tool", format: .text, quiet: false))
        usleep(1_100_000)
        progress.update(1 << 20)
      }
      exit(0)
    }
    #expect(result.errors == ".")
  }

  @Test("A terminal sees it after a second, and it is gone at the end")
  func aTerminalSeesIt() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let master = try terminalAsStandardError()
      do {
        var progress = Progress("reading", on: Console(tool: "tool", format: .text, quiet: false))
        progress.update(1 << 20)
        usleep(1_100_000)
        progress.update(2 << 20)
        progress.update(3 << 20)
      }
      copyToStandardOutput(from: master)
      exit(0)
    }
    #expect(result.output?.withoutRate == "tool: reading: 2.0 MiB\r\u{1b}[K")
  }

  @Test("What is written meanwhile does not stand behind it")
  func itIsGoneBeforeOutput() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let master = try terminalAsStandardError()
      do {
        let console = Console(tool: "tool", format: .text, quiet: false)
        var progress = Progress("reading", on: console)
        usleep(1_100_000)
        progress.update(2 << 20)
        progress.clear()
        console.write("output")
        progress.clear()
      }
      copyToStandardOutput(from: master)
      exit(0)
    }
    #expect(result.output?.withoutRate == "tool: reading: 2.0 MiB\r\u{1b}[Koutput")
  }

  /// A line that the terminal wraps could not be erased.
  @Test func itFitsANarrowTerminal() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let master = try terminalAsStandardError(columns: 20)
      for hasNoColor in [true, false] {
        if hasNoColor { unsafe setenv("NO_COLOR", "1", 1) } else { unsafe unsetenv("NO_COLOR") }
        var progress = Progress("reading", on: Console(tool: "tool", format: .text, quiet: false))
        usleep(1_100_000)
        progress.update(2 << 20)
        progress.clear()
      }
      copyToStandardOutput(from: master)
      exit(0)
    }
    let (line, blanks) = ("tool: reading: 2.0…", String(repeating: " ", count: 19))
    #expect(result.output == "\(line)\r\(blanks)\r\(line)\r\u{1b}[K")
  }

  @Test(arguments: [(Console.Format.json, false), (.text, true)])
  func noProgressAmongJSONLinesOrWhenQuiet(format: Console.Format, quiet: Bool) async throws {
    let name = format.rawValue
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      [name = name as String, quiet = quiet as Bool] in
      mark(STDOUT_FILENO)
      let master = try terminalAsStandardError()
      let format = try #require(Console.Format(rawValue: name))
      var progress = Progress("reading", on: Console(tool: "tool", format: format, quiet: quiet))
      usleep(1_100_000)
      progress.update(2 << 20)
      copyToStandardOutput(from: master)
      exit(0)
    }
    #expect(result.output == ".")
  }

  @Test func anErrorTakesTheLineOfProgressAway() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let master = try terminalAsStandardError()
      let console = Console(tool: "tool", format: .text, quiet: false)
      for hasNoColor in [true, false] {
        if hasNoColor { unsafe setenv("NO_COLOR", "1", 1) } else { unsafe unsetenv("NO_COLOR") }
        var progress = Progress("reading", on: console)
        usleep(1_100_000)
        progress.update(2 << 20)
        console.report(Diagnostic(.bug, "odd"))
        console.report(Diagnostic(.bug, "odd"))
      }
      copyToStandardOutput(from: master)
      exit(0)
    }
    let blanks = String(repeating: " ", count: 79)
    let (plain, red) = ("tool: odd\r\n", "\u{1b}[1;31mtool\u{1b}[0m: odd\r\n")
    let progress = "tool: reading: 2.0 MiB"
    #expect(
      result.output?.withoutRate
        == "\(progress)\r\(blanks)\r\(plain)\(plain)\(progress)\r\u{1b}[K\(red)\(red)"
    )
  }
}

/// Makes a new terminal this process's standard error, and returns the end that a person would sit at.
///
/// Without columns, its size is unknown.
private func terminalAsStandardError(columns: UInt16 = 0) throws -> Int32 {
  unsafe setenv("TERM", "xterm", 1)
  unsafe unsetenv("NO_COLOR")
  var (master, slave): (Int32, Int32) = (-1, -1)
  var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
  guard unsafe openpty(&master, &slave, nil, nil, &size) == 0 else { throw POSIXError(.ENOTTY) }
  dup2(slave, STDERR_FILENO)
  return master
}

/// Copies until the terminal has been still for a while: what is written to it arrives a moment later.
private func copyToStandardOutput(from master: Int32) {
  var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
  var bytes = [UInt8](repeating: 0, count: 4096)
  while unsafe poll(&entry, 1, 300) > 0 {
    let count = unsafe read(master, &bytes, bytes.count)
    if count <= 0 { return }
    unsafe write(STDOUT_FILENO, bytes, count)
  }
}

extension String {
  /// Without what depends on how fast the machine is.
  fileprivate var withoutRate: String { replacing(/, [0-9.]+ [KM]iB\/s/, with: "") }
}
