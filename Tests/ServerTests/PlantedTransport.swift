import Remotes
import ServerProtocol
import SyncCore

/// Mistakes that a device could make with a server.
enum PlantedMistake: String, CaseIterable, Sendable {
  /// The device relies on its own memory of the server's changes, not on the server's answer.
  case checkpointOnOneSide
  /// A foreign token is treated as "nothing new".
  case foreignTokenIgnored
  /// The device continues from the end of everything although it has read only one page.
  case tokenAhead
  /// A body arrives in part, and is treated as complete.
  case bodyCutShort
  /// Deletions are left out of answers.
  case deletionsDropped
}

/// A connection to a server with one planted mistake.
final class PlantedTransport: ServerTransport {
  /// The data that a device remembers between sessions and after a restore.
  final class Memory { var checkpoint: String? }

  private let client: any ServerTransport
  private let mistake: PlantedMistake
  private let memory: Memory

  init(_ client: any ServerTransport, _ mistake: PlantedMistake, _ memory: Memory) {
    (self.client, self.mistake, self.memory) = (client, mistake, memory)
  }

  var received: Int { client.received }
  var sent: Int { client.sent }

  func send(
    _ method: String, _ path: String, _ fields: [RequestHead.Field], body: [UInt8]?
  ) throws -> HTTPClient.Answer {
    var body = body
    if let whole = body, mistake == .bodyCutShort { body = try Self.cut(whole) }
    var answer = try client.send(method, path, fields, body: body)
    switch mistake {
    case .checkpointOnOneSide: try remember(method, body, &answer)
    case .foreignTokenIgnored where answer.status == 410: ignore(path, &answer)
    case .tokenAhead where answer["Link"] != nil: try goAhead(fields, &answer)
    case .deletionsDropped where method == "GET" && answer.status == 200: try dropDeletions(&answer)
    default: break
    }
    return answer
  }

  /// The first half of the lines, with the token of all.
  private static func cut(_ text: [UInt8]) throws -> [UInt8] {
    var body = try ChangesBody(parsing: text)
    let lines = body.lines.split(separator: 10)
    guard lines.count > 1 else { return text }
    body.lines = lines.prefix(lines.count / 2).flatMap { $0 + [10] }
    return body.text
  }

  private func remember(_ method: String, _ body: [UInt8]?, _ answer: inout HTTPClient.Answer) throws {
    guard answer.status == 200 else { return }
    if method == "POST", let body {
      memory.checkpoint = try ChangesBody(parsing: body).token ?? memory.checkpoint
    }
    guard let token = memory.checkpoint else { return }
    answer.fields.removeAll { $0.name == ChangesHeader.checkpoint }
    answer.fields.append(.init(ChangesHeader.checkpoint, token))
  }

  private func ignore(_ path: String, _ answer: inout HTTPClient.Answer) {
    guard let since = path.split(separator: "since=").dropFirst().first?.prefix(while: { $0 != "&" }) else {
      return
    }
    let token = since.replacing("%2B", with: "+").replacing("%2F", with: "/").replacing("%3D", with: "=")
    answer.status = 200
    answer.body = Array("{\"newTokenData\":\"\(token)\"}\n".utf8)
  }

  private func goAhead(_ fields: [RequestHead.Field], _ answer: inout HTTPClient.Answer) throws {
    var body = try ChangesBody(parsing: answer.body)
    let last = try client.send("GET", "/changes", fields, body: nil)
    body.token = try ChangesBody(parsing: last.body).token
    answer.body = body.text
    answer.fields.removeAll { $0.name == "Link" }
  }

  private func dropDeletions(_ answer: inout HTTPClient.Answer) throws {
    var body = try ChangesBody(parsing: answer.body)
    body.lines = body.lines.split(separator: 10).flatMap { line in
      String(decoding: line, as: UTF8.self).contains("\"deletedAt\"") ? [] : line + [10]
    }
    answer.body = body.text
  }
}
