import Foundation
import Testing

/// A program of the system that a test runs.
struct Program {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  let path: String

  init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = folders.map { "\($0)/\(name)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
    self.path = path
  }

  /// Runs to the end with nothing on standard input; `environment` is added to ours.
  func run(_ words: [String], in folder: URL, environment: [String: String] = [:]) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = words
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let files = ["output", "errors"].map { folder.appendingPathComponent(".\($0)-\(UUID().uuidString)") }
    for file in files { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    for file in files { try FileManager.default.removeItem(at: file) }
    return Result(status: process.terminationStatus, output: texts[0], errors: texts[1])
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test by name where the program is not installed; in CI it runs, and fails.
  static func needs(_ program: String) -> Self {
    let isRequired = ProcessInfo.processInfo.environment["CI"] != nil
    return .enabled(if: isRequired || Program(program) != nil, "\(program) is not installed")
  }
}
