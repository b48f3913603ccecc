import JSONLines
import Remotes
import ServerProtocol
@testable import Store
import SyncCore
import TestSupport

/// A device with a store, which syncs with a server.
final class TestDevice {
  let path: String
  private(set) var store: ChangeStore
  private var remoteId = ""

  init(_ path: String) throws {
    self.path = path
    store = try ChangeStore(path, creating: true, wait: .seconds(10))
  }

  init(_ store: ChangeStore) { (path, self.store) = (store.path, store) }

  func put(_ lines: String...) throws {
    try store.write {
      if try store.rules() == nil { try store.setRules(RecordShape()) }
      var intake = try LocalIntake(store, RecordShape(), now: TestServer.now)
      for text in lines {
        var (reader, key) = (LineReader(RecordShape()), [UInt8]())
        let line = Array(text.utf8)
        let change = try reader.read(line.span, key: &key)
        _ = try intake.put(key.span, line.span, change)
      }
    }
  }

  /// The clock and the title of each record, by its id.
  var contents: [String: String] {
    get throws {
      var contents: [String: String] = [:]
      _ = try store.changes(after: nil) { line in
        guard let value = try? JSONValue(parsing: line), let id = value["identity"]?["id"]?.stringValue else {
          return
        }
        let clock = (value["modifiedAt"] ?? value["deletedAt"])?.stringValue ?? ""
        contents[id] = "\(clock) \(value["fields"]?["title"]?.stringValue ?? "-")"
      }
      return contents
    }
  }

  func restore(_ bytes: [UInt8], seed: UInt64) throws {
    store = try ChangeStore(restoring: bytes, random: SplitMix64(seed: seed))
  }

  func session(
    _ direction: DialogueSettings.Direction, pageLimit: Int, isDryRun: Bool, deleteLimit: DeleteLimit
  ) -> RemoteSession {
    var session = RemoteSession(store, own: (store.publicID, "test"), direction) { TestServer.now }
    (session.pageLimit, session.isDryRun, session.deleteLimit) = (pageLimit, isDryRun, deleteLimit)
    return session
  }

  /// Runs one session; throws the errors of the connection.
  @discardableResult
  func sync(
    _ transport: any ServerTransport, _ direction: DialogueSettings.Direction = .both,
    pageLimit: Int = 4 << 20, isDryRun: Bool = false, deleteLimit: DeleteLimit = .off
  ) throws -> RemoteSession.Outcome {
    let session = session(direction, pageLimit: pageLimit, isDryRun: isDryRun, deleteLimit: deleteLimit)
    do {
      return try session.run(
        with: ServerRemote(transport, store, id: remoteId, isDryRun: isDryRun), at: "test")
    } catch let changed as ServerRemote.Changed {
      remoteId = changed.id
      return try session.run(
        with: ServerRemote(transport, store, id: remoteId, isDryRun: isDryRun), at: "test")
    }
  }
}

/// Passes each answer to a function, which may change it.
final class ChangingTransport: ServerTransport {
  private let client: any ServerTransport
  private let change: (_ method: String, inout HTTPClient.Answer) throws -> Void

  init(_ client: any ServerTransport, change: @escaping (String, inout HTTPClient.Answer) throws -> Void) {
    (self.client, self.change) = (client, change)
  }

  var received: Int { client.received }
  var sent: Int { client.sent }

  func send(
    _ method: String, _ path: String, _ fields: [RequestHead.Field], body: [UInt8]?
  ) throws -> HTTPClient.Answer {
    var answer = try client.send(method, path, fields, body: body)
    try change(method, &answer)
    return answer
  }
}

/// Loses some of the answers, after the server has handled the requests.
final class LossyTransport: ServerTransport {
  private let client: any ServerTransport
  private var random: SplitMix64
  private let oneIn: Int

  struct Lost: Error {}

  init(_ client: any ServerTransport, oneIn: Int, seed: UInt64) {
    (self.client, self.oneIn, random) = (client, oneIn, SplitMix64(seed: seed))
  }

  var received: Int { client.received }
  var sent: Int { client.sent }

  func send(
    _ method: String, _ path: String, _ fields: [RequestHead.Field], body: [UInt8]?
  ) throws -> HTTPClient.Answer {
    let answer = try client.send(method, path, fields, body: body)
    if random.oneIn(oneIn) { throw Lost() }
    return answer
  }
}
