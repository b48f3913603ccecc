import Foundation
import JSONLines

/// The outcome of comparing two versions of one record.
enum MergeDecision: Equatable {
  case same, first, second

  /// Compares by time, then deletion before record, then canonical JSON: the order of ``Syncable``.
  static func between<Entity: Syncable>(
    _ a: RecordVersion<Entity>, _ b: RecordVersion<Entity>
  ) throws -> MergeDecision {
    let (aTime, bTime) = (a.time.milliseconds, b.time.milliseconds)
    if aTime != bTime { return aTime > bTime ? .first : .second }
    switch (a, b) {
    case (.deleted, .deleted): return .same
    case (.deleted, .live): return .first
    case (.live, .deleted): return .second
    case (.live(let a), .live(let b)):
      let (a, b) = try (a.content, b.content)
      let order = CanonicalJSON.compare(a.span, 0..<a.count, b.span, 0..<b.count)
      return order == 0 ? .same : order > 0 ? .first : .second
    }
  }
}

extension Date {
  /// Milliseconds since 1970, rounded to the nearest.
  ///
  /// So a time that is written in milliseconds and read again stays the same. Times outside the range in
  /// which a double represents every integer become the nearest limit of that range.
  var milliseconds: Int64 {
    let limit: Int64 = (1 << 53) - 1
    let value = (timeIntervalSince1970 * 1_000).rounded()
    return Int64(exactly: min(max(value, -Double(limit)), Double(limit))) ?? limit
  }
}

extension Syncable {
  /// The JSON that decides ties.
  ///
  /// Times are whole milliseconds, as in the comparison. Numbers that JSON cannot express become strings.
  fileprivate var content: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(date.milliseconds)
      }
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
      return try Array(encoder.encode(self))
    }
  }
}
