package import JSONLines
import SyncCore

/// The members of a record in a file of this project.
typealias RecordMembers = Members<MemberError>

extension RecordMembers {
  init(record line: Span<UInt8>) throws(MemberError) { try self.init(parsing: line, refusing: .repeated) }

  private func value<Value>(
    _ name: String, because flaw: String, _ convert: (JSONValue) -> Value?
  ) throws(MemberError) -> Value {
    guard let value = try self[name].flatMap(convert) else { throw error(name, .wrong(flaw)) }
    return value
  }

  func has(_ name: String) throws(MemberError) -> Bool { try self[name] != nil }

  func text(_ name: String) throws(MemberError) -> String {
    try value(name, because: "no text") { $0.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
  }

  func uuid(_ name: String) throws(MemberError) -> String {
    let text = try text(name)
    guard UUIDText(text) != nil else { throw error(name, .wrong("not a UUID")) }
    return text
  }

  func time(_ name: String) throws(MemberError) -> Instant {
    guard let time = Instant(try text(name)) else { throw error(name, .wrong("not an RFC 3339 date-time")) }
    return time
  }

  /// A count; further counts can be added without an overflow.
  func count(_ name: String) throws(MemberError) -> Int {
    try value(name, because: "not a count") { $0.intValue.flatMap { 0...1 << 60 ~= $0 ? $0 : nil } }
  }

  func version(_ name: String) throws(MemberError) -> ProtocolVersion {
    try value(name, because: "not 1 or 2") { $0.intValue.flatMap(ProtocolVersion.init) }
  }
}

/// The records of a file of this project, one line of JSON each.
package protocol RecordList: Equatable, Sendable {
  init(parsing text: [UInt8]) throws(DamagedLine)
  var text: [UInt8] { get }
}

/// Text with one record per line, as in the files of this project.
enum RecordLines {
  /// Passes the lines that are not empty to `body`, in order.
  static func read(
    _ text: [UInt8], _ body: ([UInt8]) throws(MemberError) -> Void
  ) throws(DamagedLine) {
    for (index, line) in text.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      if line.isEmpty { continue }
      do throws(MemberError) {
        try body(Array(line))
      } catch {
        throw DamagedLine(line: index + 1, message: error.message)
      }
    }
  }
}
