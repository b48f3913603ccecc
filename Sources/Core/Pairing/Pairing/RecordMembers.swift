import JSONLines
import SyncCore

/// Why a line is no record of a file that these tools keep.
package struct RecordError: Error, Equatable, Sendable {
  /// Lower-case, no final period.
  package var message: String

  init(_ message: String) { self.message = message }
}

/// The members of a record in one of our own files.
struct RecordMembers {
  let all: [JSONMember]

  init(parsing line: Span<UInt8>) throws(RecordError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: line)
    } catch {
      throw RecordError("\(error.message) at byte \(error.offset) of the line")
    }
    guard let members = value.objectValue else { throw RecordError("not a JSON object") }
    all = members
    if let name = members.repeatedName { throw RecordError("member '\(name.shown)' stands twice") }
  }

  private func find(_ name: String) -> JSONValue? { all[named: name] }

  func has(_ name: String) -> Bool { find(name) != nil }

  func text(_ name: String) throws(RecordError) -> String {
    guard let text = find(name)?.stringValue, !text.isEmpty else { throw RecordError("'\(name)' is no text") }
    return text
  }

  func uuid(_ name: String) throws(RecordError) -> String {
    let text = try text(name)
    guard UUIDText(text) != nil else { throw RecordError("'\(name)' is not a UUID") }
    return text
  }

  func time(_ name: String) throws(RecordError) -> Instant {
    guard let time = Instant(try text(name)) else {
      throw RecordError("'\(name)' is not an RFC 3339 date-time")
    }
    return time
  }

  /// A count that leaves room for more to be added to it.
  func count(_ name: String) throws(RecordError) -> Int {
    guard let count = find(name)?.intValue, (0...Self.largestCount).contains(count) else {
      throw RecordError("'\(name)' is not a count")
    }
    return count
  }

  private static let largestCount = 1 << 60

  func version(_ name: String) throws(RecordError) -> ProtocolVersion {
    guard let number = find(name)?.intValue, let version = ProtocolVersion(rawValue: number) else {
      throw RecordError("'\(name)' is not 1 or 2")
    }
    return version
  }
}

/// A line that is no record of its file, or one that contradicts an earlier one.
package struct RecordDamage: Error, Equatable, Sendable {
  /// 1-based.
  package var line: Int
  package var message: String
}

/// The records of one of our own files, a line of JSON each.
package protocol RecordList: Equatable, Sendable {
  init(parsing text: [UInt8]) throws(RecordDamage)
  var text: [UInt8] { get }
}

/// Text with a record a line, as it stands in one of our own files.
enum RecordLines {
  /// Hands over the lines that are not empty, in order.
  static func read(
    _ text: [UInt8], _ body: ([UInt8]) throws(RecordError) -> Void
  ) throws(RecordDamage) {
    for (index, line) in text.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      if line.isEmpty { continue }
      do throws(RecordError) {
        try body(Array(line))
      } catch {
        throw RecordDamage(line: index + 1, message: error.message)
      }
    }
  }
}
