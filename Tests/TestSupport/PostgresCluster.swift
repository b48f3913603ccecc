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

  /// The cluster of this process; nil if PostgreSQL is not installed.
  ///
  /// In CI it must be installed.
  package static let shared: PostgresCluster? = try? PostgresCluster()

  package static var isRequired: Bool { ProcessInfo.processInfo.environment["CI"] != nil }
  package static var isTried: Bool { shared != nil || isRequired }

  package struct Missing: Error {
    package init() {}
  }

  package init(_ settings: String...) throws {
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
      if part.isEmpty { throw Missing() }
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
  package func control(_ words: String...) { _ = told(words.joined(separator: " ")) }

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
    guard let cluster = PostgresCluster.shared else {
      if PostgresCluster.isRequired { throw PostgresCluster.Missing() }
      return
    }
    try await TestEngine.$current.withValue(.postgres(cluster.url)) { try await function() }
  }
}

extension Trait where Self == EveryEngine {
  package static var onEveryEngine: Self { Self() }
}
