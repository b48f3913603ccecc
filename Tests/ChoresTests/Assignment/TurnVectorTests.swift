@testable import Chores
import Foundation
import JSONLines
import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/turns.json: the lines of a state, and the results.
///
/// The results were made by a program in another language, after docs/formats/chores.md alone.
struct TurnVector: CustomTestStringConvertible, Sendable {
  var name: String
  var horizon: Horizon
  var lines: [String]
  /// The id and the clock of each written record, and of an occurrence also the template, the due date and
  /// the member.
  var written: [String]

  var testDescription: String { name }

  static let all = VectorFile.values("turns").compactMap { TurnVector($0) }

  init?(_ value: JSONValue) {
    guard let name = value["name"]?.stringValue, let now = value["now"]?.stringValue.flatMap({ Instant($0) }),
      let until = value["until"]?.stringValue.flatMap({ CivilText.day($0) }),
      let lines = value["lines"]?.arrayValue, let written = value["written"]?.arrayValue
    else { return nil }
    (self.name, horizon) = (name, Horizon(now: now, until: .day(until)))
    (self.lines, self.written) = (lines.map(\.text), written.map(\.text))
  }
}

@Suite struct TurnVectorTests {
  @Test(arguments: TurnVector.all) func isWritten(_ vector: TurnVector) throws {
    for lines in [vector.lines, vector.lines.reversed()] {
      let text = Array(lines.map { $0 + "\n" }.joined().utf8)
      let written = try Home.rules.assign([text], vector.horizon)
      let parts = String(decoding: written, as: UTF8.self).split(separator: "\n").map { essence(String($0)) }
      #expect(parts == vector.written)
    }
  }

  @Test func allAreThere() { #expect(TurnVector.all.count == VectorFile.values("turns").count) }

  private func essence(_ line: String) -> String {
    guard let value = try? JSONValue(parsing: Array(line.utf8).span), let id = value["identity"]?["id"] else {
      return line
    }
    var members = [JSONMember("id", id)]
    if let clock = value["deletedAt"] {
      members.append(JSONMember("deletedAt", clock))
    } else {
      for name in ["templateID", "dueDate", "assignedMemberID"] {
        members.append(JSONMember(name, value["fields"]?[name] ?? .null))
      }
      members.append(JSONMember("modifiedAt", value["modifiedAt"] ?? .null))
    }
    return JSONValue.object(members).text
  }
}

extension VectorFile {
  /// The cases of a file that hold lines of any shape.
  fileprivate static func values(_ name: String) -> [JSONValue] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Vectors/\(name).json")
    guard let bytes = try? Data(contentsOf: file), let value = try? JSONValue(parsing: Array(bytes).span)
    else {
      return []
    }
    return value.arrayValue ?? []
  }
}
