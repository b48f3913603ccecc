@testable import CommandLine
import JSONLines
import SystemIO
import Testing

@Suite struct DiagnosticTests {
  @Test func textForms() {
    #expect(Diagnostic(.bug, "odd").text == "odd")
    #expect(Diagnostic(.noKey, "no key", file: "a.jsonl", line: 3).text == "a.jsonl: line 3: no key")
    let offset = Diagnostic(.truncatedHeader, "need 4 bytes, have 2", file: "capture.bin", offset: 12)
    #expect(offset.text == "capture.bin: offset 12: need 4 bytes, have 2")
    #expect(Diagnostic(.noKey, "no key", line: 3, offset: 80).text == "line 3: no key")
  }

  @Test func jsonForms() {
    let all = Diagnostic(.noKey, "no \"key\"", file: "a", line: 3, offset: 80, hint: "add one")
    #expect(
      all.members(tool: "frame").text
        == #"{"code":"noKey","message":"no \"key\"","tool":"frame","file":"a","line":3,"offset":80,"#
        + #""exit":65,"hint":"add one","retryable":false}"#)
    #expect(
      Diagnostic(.commandNotFound, "none").members(tool: "frame").text
        == #"{"code":"commandNotFound","message":"none","tool":"frame","exit":69,"retryable":false}"#)
    #expect(Diagnostic(.commandFailed, "none").members(tool: "frame").text.contains(#""retryable":true"#))
  }

  @Test func aLockThatIsHeldIsToBeTriedAgain() {
    let held = Diagnostic(SystemError(.lock, "trust.jsonl.lock", code: EWOULDBLOCK))
    #expect(held.exit == .tryAgain && held.message == "another process holds the lock")
    #expect(Diagnostic(SystemError(.lock, "trust.jsonl.lock", code: EROFS)).exit == .cannotCreate)
  }

  @Test func everyCodeHasAnEnglishMeaningAndAStatusOfTheTable() {
    let codes = ErrorCode.allCases
    #expect(Set(codes.map(\.rawValue)).count == codes.count)
    #expect(Set(codes.map(\.meaning)).count == codes.count)
    for code in codes {
      #expect(code.meaning.hasSuffix(".") && code.meaning.first?.isUppercase == true, "\(code)")
      #expect(ExitStatus.table.contains { $0.status == code.exit }, "\(code)")
      #expect(code.exit != .done, "\(code)")
      let stays: Set<ErrorCode> = [.commandNotFound, .unsupportedLinkType]
      let mayPass = code.exit == .tryAgain || code.exit == .unavailable && !stays.contains(code)
      #expect(code.isRetryable == mayPass, "\(code)")
      #expect(code.rawValue.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }, "\(code)")
    }
  }

  @Test func theExitTableIsSysexits() {
    let numbers = ExitStatus.table.map(\.status.rawValue)
    #expect(numbers == [0, 1, 64, 65, 66, 69, 70, 71, 73, 74, 75, 76, 77, 78])
    for row in ExitStatus.table { #expect(row.meaning.hasSuffix("."), "\(row.status)") }
    #expect(ExitStatus(rawValue: 3).meaning == "The exit status of COMMAND; 128 + n after signal n.")
  }

  @Test func usageErrorsPointToTheHelpOfTheirCommand() {
    let plain = UsageError.missingOperand("FILE").diagnostic(in: "frame decode")
    #expect(plain == Diagnostic(.wrongOperands, "operand FILE is missing", hint: "see 'frame decode --help'"))
    let near = UsageError.unknownOption("--limt", near: "--limit").diagnostic(in: "frame")
    #expect(near == Diagnostic(.unknownOption, "unknown option '--limt'", hint: "did you mean '--limit'?"))
    #expect(plain.exit == .usage)
  }
}
