import Foundation
package import Testing

/// The tests' own PostgreSQL server, which ends with them; `Tests/Servers/cluster.sh` makes it.
package struct PostgresCluster: Sendable {
  /// For a database whose owner is an ordinary role.
  package let url: String
  /// The folder with `ctl`, which runs pg_ctl as the user of the server.
  package let folder: String
  private let commands: Pipe
  private let answers: Pipe

  /// The cluster of this process, or why there is none.
  package static let shared = Result<PostgresCluster, any Error> {
    do {
      return try PostgresCluster()
    } catch let error as Missing {
      if !isRequired { print("skipped: tests with PostgreSQL: it is not installed") }
      throw error
    }
  }

  /// In CI it must be installed.
  private static var isRequired: Bool { ProcessInfo.processInfo.environment["CI"] != nil }
  /// False only if PostgreSQL is not installed.
  package static var isTried: Bool {
    if case .failure(is Missing) = shared { isRequired } else { true }
  }

  /// PostgreSQL is not installed, or cannot run here.
  private struct Missing: Error {}

  /// What a server did not do, or how its script has ended.
  private struct Failed: Error {
    var what: String
  }

  package init(_ settings: [String] = []) throws {
    let process = Process()
    process.executableURL = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Servers/cluster.sh")
    process.arguments = settings
    // The server ends when this end of the pipe is closed, whatever ends this process.
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    var text = Data()
    while text.count(where: { $0 == 10 }) < 2 {
      let part = output.fileHandleForReading.availableData
      if part.isEmpty {
        process.waitUntilExit()
        if process.terminationStatus == 77 { throw Missing() }
        throw Failed(what: "cluster.sh has ended with \(process.terminationStatus)")
      }
      text += part
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    (url, folder) = (String(lines[0]), String(lines[1]))
    (commands, answers) = (input, output)
  }

  /// Runs pg_ctl, for example with `stop -m immediate`.
  ///
  /// Not as a child of this process: `Process` waits until every process that has inherited a descriptor from
  /// it has ended.
  package func control(_ words: String...) throws {
    let line = words.joined(separator: " ")
    guard told(line).hasSuffix("done\n") else { throw Failed(what: line) }
  }

  /// What pgbench prints.
  package func pgbench(_ words: String) -> String { told("pgbench \(words)") }

  /// The answer to a line, up to its end.
  private func told(_ line: String) -> String {
    commands.fileHandleForWriting.write(Data("\(line)\n".utf8))
    var text = ""
    while !text.hasSuffix("done\n") {
      let part = answers.fileHandleForReading.availableData
      if part.isEmpty { return text }
      text += String(decoding: part, as: UTF8.self)
    }
    return text
  }
}

/// Where a test's stores are.
package enum TestEngine: Sendable {
  case sqlite
  /// The URL of a database.
  case postgres(String)

  /// Whether they are files, for which a test may check more.
  package static var isFile: Bool { if case .sqlite = current { true } else { false } }

  @TaskLocal package static var current = TestEngine.sqlite
}

/// Runs each test once with stores in SQLite, and once more with stores in PostgreSQL if that is installed.
package struct EveryEngine: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  @concurrent package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await function()
    guard PostgresCluster.isTried else { return }
    let cluster = try PostgresCluster.shared.get()
    try await TestEngine.$current.withValue(.postgres(cluster.url)) { try await function() }
  }
}

extension Trait where Self == EveryEngine {
  package static var onEveryEngine: Self { Self() }
}
