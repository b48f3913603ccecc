import Foundation
import Testing

/// Runs a transcript in a sandbox of its own and compares.
struct TranscriptRun {
  /// A difference, at the 1-based line of a step's `$`.
  struct Failure: Equatable {
    var line: Int
    var message: String
  }

  var failures: [Failure] = []
  /// The expected output of each step that ran.
  var renderings: [[String]] = []

  init(_ transcript: Transcript, tools: String = Tools.folder, limit: Duration = Sandbox.hanging) async throws
  {
    let sandbox = try Sandbox(tools: tools)
    for (index, step) in transcript.steps.enumerated() {
      for file in transcript.files(before: index) { try sandbox.write(file.text, to: file.name) }
      let outcome = try await sandbox.run(step.command, limit: limit)
      if outcome.isTimedOut {
        failures.append(Failure(line: step.line, message: "$ \(step.command)\nkilled after \(limit)"))
        return
      }
      compare(outcome.rendering, with: step, in: sandbox)
    }
  }

  /// Runs all steps in one shell that reads them from its input, as if they were pasted there.
  ///
  /// At the end no process may be left running.
  init(pasting transcript: Transcript, tools: String = Tools.folder, limit: Duration = Sandbox.hanging)
    async throws
  {
    let sandbox = try Sandbox(tools: tools)
    let mark = #"printf '\036%s\n' "$?"; printf '\036\n' >&2"#
    var script = ""
    for (index, step) in transcript.steps.enumerated() {
      for file in transcript.files(before: index) { script += try Self.laying(file, in: sandbox) }
      script += "\(step.command)\n\(mark)\n"
    }
    try sandbox.write(script + "jobs -rp > ../left\n", to: "../pasted")
    let whole = try await sandbox.run("exec bash < ../pasted", limit: limit)
    let (outputs, errors) = (Self.parts(whole.output), Self.parts(whole.errors))
    for (index, step) in transcript.steps.enumerated() {
      guard index < min(outputs.count, errors.count) - 1 else {
        failures.append(
          Failure(line: step.line, message: "$ \(step.command)\nthe shell has ended, or was killed"))
        return
      }
      // The status stands after the mark.
      let end = outputs[index + 1].prefix { $0 != 0x0A }
      let status = Int32(String(decoding: end, as: UTF8.self)) ?? -1
      compare(
        Outcome(output: Self.body(outputs, index), errors: Self.body(errors, index), status: status)
          .rendering, with: step, in: sandbox)
    }
    if let left = try? sandbox.text(of: "../left"), !left.isEmpty {
      failures.append(Failure(line: transcript.source.count, message: "still running in the end: \(left)"))
    }
  }

  /// The command that puts a file in its place, whatever the shell's folder and path by then.
  private static func laying(_ file: Transcript.File, in sandbox: Sandbox) throws -> String {
    let kept = "../files/\(file.name)"
    try sandbox.write(file.text, to: kept)
    let (source, place) = (sandbox.url(of: kept), sandbox.url(of: file.name))
    let folder = place.deletingLastPathComponent()
    return "/bin/mkdir -p '\(folder.path)'; /bin/cp '\(source.path)' '\(place.path)'\n"
  }

  private static func parts(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 0x1E, omittingEmptySubsequences: false)
  }

  /// The text between two marks, without the end of the first one.
  private static func body(_ parts: [ArraySlice<UInt8>], _ index: Int) -> [UInt8] {
    Array(index == 0 ? parts[0] : parts[index].drop { $0 != 0x0A }.dropFirst())
  }

  /// Complete paths are shown relative to the sandbox, whose own path differs each time.
  private mutating func compare(_ rendering: [String]?, with step: Transcript.Step, in sandbox: Sandbox) {
    let work = sandbox.url(of: "")
    let rendering = rendering?.map {
      $0.replacing(work.path + "/", with: "./")
        .replacing(work.deletingLastPathComponent().path + "/", with: "../")
    }
    renderings.append(rendering ?? step.expected)
    guard let rendering else {
      failures.append(
        Failure(line: step.line, message: "$ \(step.command)\nthe output is not UTF-8: show it with xxd"))
      return
    }
    guard rendering != step.expected else { return }
    let message =
      "$ \(step.command)\nexpected:\n\(Self.listing(step.expected))actual:\n\(Self.listing(rendering))"
    failures.append(Failure(line: step.line, message: message))
  }

  private static func listing(_ lines: [String]) -> String { lines.map { "    \($0)\n" }.joined() }
}

extension TranscriptRun {
  /// Runs the transcript or document at `path` and points each failure into it, or rewrites it if asked to.
  static func check(_ path: String) async throws {
    do {
      let transcript = try Repository.transcript(at: path)
      try Program.require(transcript.needs, for: path)
      let isPasted = path.hasSuffix(".md")
      let run = try await isPasted ? TranscriptRun(pasting: transcript) : TranscriptRun(transcript)
      if Repository.isSet("UPDATE_TRANSCRIPTS"), run.renderings.count == transcript.steps.count {
        let lines = transcript.updated(with: run.renderings)
        try Repository.write(lines.map { $0 + "\n" }.joined(), to: path)
      } else {
        for failure in run.failures { Issue.record(failure, in: path) }
      }
    } catch let error as NotationError {
      Issue.record(Failure(line: error.line, message: "notation: \(error.problem)"), in: path)
    }
  }
}

extension Issue {
  /// Records a difference in a file of this package, at its line.
  static func record(_ failure: TranscriptRun.Failure, in path: String) {
    let place = SourceLocation(
      fileID: "peersync/\(path)", filePath: Repository.root.appending(path: path).path,
      line: failure.line, column: 1)
    record("\(path):\(failure.line): \(failure.message)", sourceLocation: place)
  }
}
