import Foundation
import JSONLines
@testable import Postgres
@testable import Store
import SyncCore
import TestSupport
import Testing

/// A separate database in the cluster of the tests.
struct TestDatabase {
  let url: String

  init(in cluster: PostgresCluster? = nil) throws {
    let cluster = try cluster ?? PostgresCluster.shared.get()
    let name = "d\(UUID().uuidString.lowercased().replacing("-", with: ""))"
    let connection = try PostgresConnection(PostgresAddress(cluster.url))
    try connection.send("CREATE DATABASE \(name)")
    try connection.finish()
    url = cluster.url.replacing("@/peersync", with: "@/\(name)")
  }

  func connection() throws -> PostgresConnection { try PostgresConnection(PostgresAddress(url)) }

  func households() throws -> PostgresHouseholds {
    try PostgresHouseholds(PostgresAddress(url), wait: .seconds(10))
  }

  /// Makes households with these names.
  func add(_ names: String...) throws {
    let households = try households()
    for name in names { _ = try households.add(name, id: (0..<16).map { _ in .random(in: 0...255) }) }
  }

  static func line(_ id: Int, _ title: String = "x") -> String {
    #"{"entityName":"Task","identity":{"id":"\#(id)"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{"title":"\#(title)"}}"#
  }
}

extension ChangeStore {
  func put(_ lines: [String]) throws {
    try write {
      var intake = try LocalIntake(self, RecordShape(), now: Instant("2025-06-01T00:00:00Z")!)
      for text in lines {
        var (reader, key) = (LineReader(RecordShape()), [UInt8]())
        let line = Array(text.utf8)
        let change = try reader.read(line.span, key: &key)
        _ = try intake.put(key.span, line.span, change)
      }
    }
  }

  /// The lines after a token, and the token after them.
  func told(after token: StoreToken?) throws -> (lines: [String], token: StoreToken) {
    var lines: [String] = []
    let end = try changes(after: token) { line in
      lines.append(String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self))
    }
    return (lines, end.token)
  }
}
