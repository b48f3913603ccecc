import JSONLines

extension WirePacker {
  /// One line as an upsert or a delete; `wireKey` becomes the beginning of that entry, which identifies the
  /// record.
  mutating func entry(
    _ change: ChangeLine, _ line: Span<UInt8>, _ key: [UInt8], wireKey: inout [UInt8]
  ) throws(WireFailure) -> [UInt8] {
    let (entityName, identity) = Self.parts(ofKey: key.span)
    let scope = types?.scope(entity: key.span.decoded(key.span.content(entityName)), key: key)
    var entry = Array("{\"entityName\":".utf8)
    entry.append(contentsOf: key[entityName])
    try appendIdentity(key.span, identity, scope, to: &entry)
    wireKey = entry
    let fields = try fields(of: line, change)
    if !change.isTombstone { try appendFields(fields, line, scope, to: &entry) }
    try appendClock(change, line, to: &entry)
    if !change.isTombstone {
      entry.append(contentsOf: ",\"version\":\(try Self.version(change, line))".utf8)
    }
    entry.append(UInt8(ascii: "}"))
    return entry
  }

  /// The two parts of a canonical key, which is an array of a string and an object.
  private static func parts(ofKey key: Span<UInt8>) -> (entityName: Range<Int>, identity: Range<Int>) {
    var cursor = ContainerCursor(opening: 0)
    _ = cursor.hasNext(in: key)
    let entityName = cursor.passValue(in: key)
    _ = cursor.hasNext(in: key)
    return (entityName, cursor.passValue(in: key))
  }

  private static func version(_ change: ChangeLine, _ line: Span<UInt8>) throws(WireFailure) -> Int64 {
    guard let raw = change.version else { return 1 }
    do throws(WireError) {
      return try WireNumber.integer(line, raw, .int64)
    } catch {
      throw WireFailure(.invalidVersion, at: ["version"])
    }
  }

  // MARK: Identity

  /// Appends the identity, which is never rounded, cut or left out: the result would identify another record.
  private mutating func appendIdentity(
    _ key: Span<UInt8>, _ raw: Range<Int>, _ scope: WireTypes.Scope?, to entry: inout [UInt8]
  ) throws(WireFailure) {
    let members = Self.members(of: key, raw)
    guard members.count == 1, let (name, value) = members.first else {
      throw WireFailure(.compositeIdentity(members: members.count), at: ["identity"])
    }
    entry.append(contentsOf: ",\"identity\":{\"key\":\"".utf8)
    entry.append(key.extracting(name))
    entry.append(contentsOf: "\",\"value\":".utf8)
    var exact = WireEncoder(isLossy: false)
    do throws(WireError) {
      _ = try exact.append(key, value, .identity, key.decoded(name), scope, to: &entry)
    } catch {
      throw WireFailure(error, at: ["identity", JSONString.decoded(key, name)])
    }
    entry.append(UInt8(ascii: "}"))
  }

  private static func members(
    of text: Span<UInt8>, _ raw: Range<Int>
  ) -> [(name: Range<Int>, value: Range<Int>)] {
    var members: [(name: Range<Int>, value: Range<Int>)] = []
    var cursor = ContainerCursor(opening: raw.lowerBound)
    while cursor.hasNext(in: text) {
      let name = cursor.readName(in: text)
      members.append((name, cursor.passValue(in: text)))
    }
    return members
  }

  // MARK: Fields

  private mutating func appendFields(
    _ fields: Fields, _ line: Span<UInt8>, _ scope: WireTypes.Scope?, to entry: inout [UInt8]
  ) throws(WireFailure) {
    entry.append(contentsOf: ",\"fields\":{".utf8)
    if let raw = fields.raw {
      var separator = ""
      var cursor = ContainerCursor(opening: raw.lowerBound)
      names.clear()
      while cursor.hasNext(in: line) {
        let name = cursor.readName(in: line)
        names.append(name)
        let value = cursor.passValue(in: line)
        do throws(WireError) {
          let isWritten = try appendField(name, value, separator, line, scope, to: &entry)
          if isWritten { separator = "," }
        } catch {
          throw WireFailure(error, at: fields.place + [JSONString.decoded(line, name)])
        }
      }
      if let name = names.firstRepeated(in: line) {
        throw WireFailure(.duplicateMember(JSONString.decoded(line, name)), at: fields.place)
      }
    }
    entry.append(UInt8(ascii: "}"))
  }

  /// Appends a field; if its value is left out, returns false without appending it.
  private mutating func appendField(
    _ name: Range<Int>, _ value: Range<Int>, _ separator: String, _ line: Span<UInt8>,
    _ scope: WireTypes.Scope?, to entry: inout [UInt8]
  ) throws(WireError) -> Bool {
    let start = entry.count
    entry.append(contentsOf: separator.utf8)
    entry.append(UInt8(ascii: "\""))
    entry.append(line.extracting(name))
    entry.append(contentsOf: "\":".utf8)
    let decoded = scope == nil ? [] : line.decoded(name)
    let isWritten = try encoder.append(line, value, .fields, decoded, scope, to: &entry)
    if !isWritten { entry.removeLast(entry.count - start) }
    return isWritten
  }
}
