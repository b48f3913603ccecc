import Foundation
@testable import Remotes
import SyncCore
import SystemIO
import TestSupport

/// A double of Firestore in a separate process, and a client for a collection in it.
final class TestCollection {
  private let process: Program
  private let folder: TemporaryFolder
  private let port: Int

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let python = root.appending(path: ".build/python/bin/python")

  /// The double parses requests with Google's own protobufs, which `.ci/python-environment` fetches.
  static var isAvailable: Bool {
    let packages = try? String(contentsOf: root.appending(path: ".build/python/holds"), encoding: .utf8)
    return packages?.contains("google-cloud-firestore") == true
  }

  struct Silent: Error {}

  init() throws {
    folder = try TemporaryFolder()
    let file = folder.path("port")
    let double = Self.root.appending(path: "Tests/Servers/firestore").path
    process = Program(
      try ChildProcess.start([Self.python.path, "-B", double, "--port-file", file], leading: true))
    var text: String?
    for _ in 0..<6_000 where text == nil {
      Thread.sleep(forTimeInterval: 0.01)
      text = try? String(contentsOfFile: file, encoding: .utf8)
    }
    guard let port = text.flatMap({ Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) else {
      throw Silent()
    }
    self.port = port
  }

  func end() {
    process.process.signal(Signals.kill)
    while process.process.exitStatus() == nil { Thread.sleep(forTimeInterval: 0.01) }
  }

  static let path = CollectionPath("firestore://my-app/tasks")!

  func client() throws -> FirestoreClient {
    try FirestoreClient(
      Self.path, keyFile: nil, emulator: "127.0.0.1:\(port)", patience: .seconds(60)
    ) { TestServer.now }
  }

  /// One session; deletions are marks, so that their times arrive too.
  func sync(_ session: RemoteSession) throws -> RemoteSession.Outcome {
    var settings = CollectionSettings()
    (settings.entity, settings.deletedField) = ("Task", "isDeleted")
    return try session.run(with: Self.path, settings, types: WireTypes(), id: Self.path.id) { try client() }
  }
}
