import Foundation

/// The files of this package, as the tests find them.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A switch in the environment, such as `UPDATE_TRANSCRIPTS=1`.
  static func isSet(_ name: String) -> Bool {
    !["", "0"].contains(ProcessInfo.processInfo.environment[name] ?? "")
  }

  static var isContinuousIntegration: Bool { isSet("CI") }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Writes a file unless it has that text already.
  static func write(_ text: String, to path: String) throws {
    let file = root.appending(path: path)
    guard (try? String(contentsOf: file, encoding: .utf8)) != text else { return }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// The paths of the files below `folder` whose names end in `suffix`, in order.
  static func files(in folder: String, suffix: String) -> [String] {
    let names = FileManager.default.subpaths(atPath: root.appending(path: folder).path) ?? []
    return names.filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
  }

  static let transcripts = files(in: "Tests/Acceptance/Cases", suffix: ".trn")

  static let documents =
    ["README.md", "CONTRIBUTING.md"].filter {
      FileManager.default.fileExists(atPath: root.appending(path: $0).path)
    } + files(in: "docs", suffix: ".md")

  /// Those whose path contains the text of ONLY, where it is set.
  static func chosen(_ paths: [String]) -> [String] {
    guard let part = ProcessInfo.processInfo.environment["ONLY"], !part.isEmpty else { return paths }
    return paths.filter { $0.contains(part) }
  }

  static func transcript(at path: String) throws -> Transcript {
    let text = try text(of: path)
    return path.hasSuffix(".trn") ? try Transcript(notation: text) : try Transcript(markdown: text)
  }
}
