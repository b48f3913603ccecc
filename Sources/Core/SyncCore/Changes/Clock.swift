package import JSONLines

/// Reads clock members.
package enum Clock {
  /// Numbers from here on are milliseconds since 1970; smaller numbers are seconds.
  package static let firstMillisecond: Int64 = 100_000_000_000

  /// The instant at `raw`, a date-time in a string or an epoch number; nil if it is neither.
  package static func instant(_ text: Span<UInt8>, _ raw: Range<Int>) -> Instant? {
    switch JSONKind(firstByte: text[raw.lowerBound]) {
    case .string: date(text, raw.lowerBound + 1..<raw.upperBound - 1)
    case .number: number(ExactDecimal(text, raw))
    default: nil
    }
  }

  /// As above, but rejects spellings without an offset.
  ///
  /// Other implementations do not read such spellings. In a chore, such a spelling could mean another day.
  package static func rfc3339Instant(_ text: Span<UInt8>, _ raw: Range<Int>) -> Instant? {
    guard text.isString(raw) else { return instant(text, raw) }
    let content = raw.lowerBound + 1..<raw.upperBound - 1
    return Instant(usual: text, content) ?? Instant(JSONString.decoded(text, content))
  }

  /// The instant at `raw`, which is the value of the named member.
  static func require(
    _ text: Span<UInt8>, _ raw: Range<Int>, _ name: @autoclosure () -> String
  ) throws(ChangeError) -> Instant {
    guard let instant = instant(text, raw) else { throw .invalidClock(member: name()) }
    return instant
  }

  private static func date(_ text: Span<UInt8>, _ content: Range<Int>) -> Instant? {
    if let usual = Instant(usual: text, content) { return usual }
    guard ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: text, content) != nil else {
      return Instant(spelled: text.extracting(content))
    }
    var decoded: [UInt8] = []
    JSONString.appendDecoded(text, content, to: &decoded)
    return Instant(spelled: decoded.span)
  }

  /// Whether the number at `raw` counts milliseconds, not seconds.
  static func isInMilliseconds(_ text: Span<UInt8>, _ raw: Range<Int>) -> Bool {
    (ExactDecimal(text, raw).parts(timesTenToThe: 0)?.whole ?? 0) >= firstMillisecond
  }

  private static func number(_ value: ExactDecimal) -> Instant? {
    guard var parts = value.parts(timesTenToThe: 0) else { return nil }
    if parts.whole >= firstMillisecond {
      guard let seconds = value.parts(timesTenToThe: -3) else { return nil }
      parts = seconds
    }
    return Instant(seconds: parts.whole, nanoseconds: parts.billionths)
  }
}

extension JSONPointer {
  /// A member of a plain record that looks like its clock but is not named by a rule; nil if missing.
  ///
  /// Its name suggests a change, and its value is a valid clock.
  package static func likelyClock(in line: Span<UInt8>, _ shape: RecordShape) -> JSONPointer? {
    guard let record = try? JSONValue(parsing: line), let members = record.objectValue,
      record["identity"] == nil
    else { return nil }
    // Each candidate requires reading the line once more.
    return candidates(members, below: []).prefix(16).first { pointer in
      var (shape, key) = (shape, [UInt8]())
      shape.clock = pointer
      var reader = LineReader(shape)
      return (try? reader.read(line, key: &key))?.clock != nil
    }
  }

  /// Candidates in the order of the members; objects among the members are searched, but not deeper ones.
  private static func candidates(_ members: [JSONMember], below place: [String]) -> [JSONPointer] {
    members.flatMap { member -> [JSONPointer] in
      switch member.value {
      case .number, .string:
        let name = member.name.lowercased()
        return marks.contains { name.contains($0) } ? [JSONPointer(tokens: place + [member.name])] : []
      case .object(let inner) where place.isEmpty: return candidates(inner, below: [member.name])
      default: return []
      }
    }
  }

  private static let marks = ["modif", "updat", "chang", "edit", "stamp", "mtime", "saved"]
}
