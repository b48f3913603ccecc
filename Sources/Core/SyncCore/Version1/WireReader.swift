import JSONLines

/// Reads the entries of a delta.
package struct WireReader: Sendable {
  private let isLossy: Bool
  /// How many members unknown to the wire were skipped.
  package var ignored = 0
  private var object = WireObject()
  private var names = WireNames()

  /// Members unknown to the wire are errors unless `isLossy`.
  package init(isLossy: Bool) { self.isLossy = isLossy }

  /// Reads one entry of validated text.
  package mutating func read(
    _ entry: WireEntry, of text: Span<UInt8>
  ) throws(WireFailure) -> WireRecord {
    let before = ignored
    do throws(WireFailure) {
      return try read(entry.raw, as: entry.kind, text)
    } catch {
      ignored = before
      throw error.inside(entry)
    }
  }

  private mutating func read(
    _ raw: Range<Int>, as kind: WireEntry.Kind, _ text: Span<UInt8>
  ) throws(WireFailure) -> WireRecord {
    let parts: Parts
    do throws(WireError) {
      parts = try readParts(raw, as: kind, text)
    } catch {
      throw WireFailure(error)
    }
    try checkClock(parts, kind, text)
    if kind == .upsert { try checkVersion(parts, text) }
    let identity = try readIdentity(parts.identity, text)
    let fields = kind == .upsert ? try readFields(parts.fields, text) : []
    return WireRecord(
      kind: kind, entityName: parts.entityName, identity: identity, clock: parts.clock,
      version: parts.version, fields: fields)
  }

  /// The members of an entry; the last two are empty in a delete.
  private struct Parts {
    var entityName, identity, clock, version, fields: Range<Int>
  }

  private mutating func readParts(
    _ raw: Range<Int>, as kind: WireEntry.Kind, _ text: Span<UInt8>
  ) throws(WireError) -> Parts {
    let isUpsert = kind == .upsert
    try object.read(text, raw)
    try object.requireSingle(isUpsert ? .upsert : .delete)
    let parts = Parts(
      entityName: text.content(try object.string(.entityName, in: text)),
      identity: try object.value(.identity),
      clock: try object.string(isUpsert ? .modifiedAt : .deletedAt, in: text),
      version: isUpsert ? try object.value(.version) : 0..<0,
      fields: isUpsert ? try object.value(.fields) : 0..<0)
    ignored += try object.foreign(to: isUpsert ? .upsert : .delete, in: text, isAccepted: isLossy)
    return parts
  }

  private func checkClock(
    _ parts: Parts, _ kind: WireEntry.Kind, _ text: Span<UInt8>
  ) throws(WireFailure) {
    guard Clock.rfc3339Instant(text, parts.clock) != nil else {
      throw WireFailure(.invalidDate, at: [kind == .upsert ? "modifiedAt" : "deletedAt"])
    }
  }

  private func checkVersion(_ parts: Parts, _ text: Span<UInt8>) throws(WireFailure) {
    guard text.isNumber(parts.version), (try? WireNumber.integer(text, parts.version, .int64)) != nil else {
      throw WireFailure(.invalidVersion, at: ["version"])
    }
  }

  // MARK: Values

  private mutating func readIdentity(
    _ raw: Range<Int>, _ text: Span<UInt8>
  ) throws(WireFailure) -> WireRecord.Field {
    let (name, value): (Range<Int>, Range<Int>)
    do throws(WireError) {
      try object.read(text, raw)
      try object.requireSingle(.identity)
      name = text.content(try object.string(.key, in: text))
      value = try object.value(.value)
      ignored += try object.foreign(to: .identity, in: text, isAccepted: isLossy)
    } catch {
      throw WireFailure(error, at: ["identity"])
    }
    do throws(WireError) {
      return WireRecord.Field(name: name, value: try readValue(value, text))
    } catch {
      throw WireFailure(error, at: ["identity", "value"])
    }
  }

  private mutating func readFields(
    _ raw: Range<Int>, _ text: Span<UInt8>
  ) throws(WireFailure) -> [WireRecord.Field] {
    guard text.isObject(raw) else { throw WireFailure(.notAnObject, at: ["fields"]) }
    var fields: [WireRecord.Field] = []
    var cursor = ContainerCursor(opening: raw.lowerBound)
    names.clear()
    while cursor.hasNext(in: text) {
      let name = cursor.readName(in: text)
      names.append(name)
      do throws(WireError) {
        fields.append(WireRecord.Field(name: name, value: try readValue(cursor.passValue(in: text), text)))
      } catch {
        throw WireFailure(error, at: ["fields", JSONString.decoded(text, name)])
      }
    }
    if let name = names.firstRepeated(in: text) {
      throw WireFailure(.duplicateMember(JSONString.decoded(text, name)), at: ["fields"])
    }
    return fields
  }

  private mutating func readValue(_ raw: Range<Int>, _ text: Span<UInt8>) throws(WireError) -> WireValue {
    try object.read(text, raw)
    let type = text.content(try object.string(.type, in: text))
    guard let tag = WireTag(text, type) else { throw .unknownTag(JSONString.decoded(text, type)) }
    try object.requireSingle(.value(tag))
    let value = if let member = tag.member { try object.value(member) } else { 0..<0 }
    ignored += try object.foreign(to: .value(tag), in: text, isAccepted: isLossy)
    try WireValue.check(text, value, is: tag)
    return WireValue(tag: tag, raw: value)
  }
}

/// One entry of a delta, read and checked, with the places of its parts in the text.
package struct WireRecord: Equatable, Sendable {
  struct Field: Equatable, Sendable {
    /// The raw name, without quotes.
    var name: Range<Int>
    var value: WireValue
  }

  var kind: WireEntry.Kind
  /// The raw string, without quotes.
  var entityName: Range<Int>
  /// The identity's one member; the name without quotes.
  var identity: Field
  /// `modifiedAt` or `deletedAt`: the raw string, with its quotes.
  var clock: Range<Int>
  /// The version; empty in a delete.
  var version = 0..<0
  var fields: [Field] = []

  /// Appends the change line and a line feed, each value in its spelling.
  package func appendLine(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"entityName\":\"".utf8)
    bytes.append(text.extracting(entityName))
    bytes.append(contentsOf: "\",\"identity\":{".utf8)
    Self.append(identity, text, to: &bytes)
    bytes.append(contentsOf: kind == .upsert ? "},\"modifiedAt\":".utf8 : "},\"deletedAt\":".utf8)
    bytes.append(text.extracting(clock))
    if kind == .upsert {
      bytes.append(contentsOf: ",\"version\":".utf8)
      bytes.append(text.extracting(version))
      bytes.append(contentsOf: ",\"fields\":{".utf8)
      appendFields(text, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(contentsOf: "}\n".utf8)
  }

  private func appendFields(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    for index in fields.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      Self.append(fields[index], text, to: &bytes)
    }
  }

  private static func append(_ field: Field, _ text: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(text.extracting(field.name))
    bytes.append(contentsOf: "\":".utf8)
    field.value.appendPlain(text, to: &bytes)
  }

  /// The canonical key of the line that `appendLine` writes.
  func key(_ text: Span<UInt8>) -> [UInt8] {
    var key = [UInt8(ascii: "[")]
    JSONString.appendCanonical(text, entityName, to: &key)
    key.append(contentsOf: ",{".utf8)
    JSONString.appendCanonical(text, identity.name, to: &key)
    key.append(UInt8(ascii: ":"))
    identity.value.appendCanonical(text, to: &key)
    key.append(contentsOf: "}]".utf8)
    return key
  }
}
