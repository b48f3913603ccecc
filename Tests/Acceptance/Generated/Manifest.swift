import Foundation

/// The targets in Package.swift.
struct Manifest {
  struct Target: Equatable {
    var name: String
    /// In SwiftPM's terms: `executable`, `regular`, `system`, `test`.
    var kind: String
    /// The targets of this package that it uses directly.
    var dependencies: [String]
  }

  var targets: [Target]

  static let current = Task { try await load() }

  /// Asks SwiftPM, with a separate scratch folder, because the default one is locked while tests run.
  private static func load() async throws -> Manifest {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/bin"]
    let folder = folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/swift") }
    let root = Repository.root.path.replacing("'", with: #"'\''"#)
    let outcome = try await Sandbox(tools: folder ?? "/usr/bin")
      .run("swift package dump-package --package-path '\(root)' --scratch-path scratch")
    guard outcome.status == 0 else {
      throw Unreadable(reason: String(decoding: outcome.errors, as: UTF8.self))
    }
    return Manifest(
      targets: try JSONDecoder().decode(Dump.self, from: Data(outcome.output)).targets.map(\.target))
  }

  struct Unreadable: Error { var reason: String }
}

/// The members of `swift package dump-package` that are needed.
private struct Dump: Decodable {
  var targets: [Target]

  struct Target: Decodable {
    var name: String
    var type: String
    var dependencies: [Dependency]

    var target: Manifest.Target {
      let names = dependencies.compactMap { ($0.byName ?? $0.target)?.first ?? nil }
      return Manifest.Target(name: name, kind: type, dependencies: names)
    }
  }

  struct Dependency: Decodable {
    var byName: [String?]?
    var target: [String?]?

    enum Key: CodingKey { case byName, target }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      byName = try? container.decodeIfPresent([String?].self, forKey: .byName)
      target = try? container.decodeIfPresent([String?].self, forKey: .target)
    }
  }
}
