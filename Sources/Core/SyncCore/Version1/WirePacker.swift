import JSONLines

/// Makes a v1 delta from change lines and plain records.
///
/// Upserts and deletes keep the order of their lines; the token is from the last checkpoint line.
/// Everything is in the wire's own form: whole seconds and `Z`, strict Base64, integers in plain digits,
/// doubles in their shortest form. Strings keep their spelling. Only the key and the clock of a tombstone are
/// sent.
package struct WirePacker: Sendable {
  let types: WireTypes?
  private(set) var reader: LineReader
  var encoder: WireEncoder
  var names = WireNames()
  private var upserts: [UInt8] = []
  private var deletes: [UInt8] = []
  /// The token of the last checkpoint line; empty if missing.
  var token: [UInt8] = []
  private var key: [UInt8] = []
  /// The line of each key, to reject duplicates, because the other side applies all deletes before the
  /// upserts.
  private var lines: [[UInt8]: (line: Int, file: String?)] = [:]
  /// The line of each key in its form on the wire, where two spellings of a date are the same.
  private var wireLines: [[UInt8]: (line: Int, file: String?)] = [:]

  /// Values that the wire cannot carry are errors; `isLossy` accepts those that can be cut, rounded or left
  /// out.
  package init(_ shape: RecordShape, types: WireTypes?, isLossy: Bool) {
    self.types = types
    reader = LineReader(shape)
    encoder = WireEncoder(isLossy: isLossy)
  }

  package var losses: WireLosses { encoder.losses }

  /// Adds one line, with its number and its file for diagnostics; an invalid line is not added.
  package mutating func add(_ line: Span<UInt8>, number: Int, of file: String? = nil) throws(WireFailure) {
    let losses = encoder.losses
    do throws(WireFailure) {
      try addLine(line, number, file)
    } catch {
      encoder.losses = losses
      throw error
    }
  }

  /// Drops the token, for an incomplete delta; false if the token is missing.
  package mutating func withholdToken() -> Bool {
    defer { token = [] }
    return !token.isEmpty
  }

  /// Appends the delta.
  package func appendDelta(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"upserts\":[".utf8)
    bytes.append(contentsOf: upserts)
    bytes.append(contentsOf: "],\"deletes\":[".utf8)
    bytes.append(contentsOf: deletes)
    bytes.append(contentsOf: "],\"newTokenData\":\"".utf8)
    Base64.append(token.span, to: &bytes)
    bytes.append(contentsOf: "\"}".utf8)
  }

  private mutating func addLine(_ line: Span<UInt8>, _ number: Int, _ file: String?) throws(WireFailure) {
    key.removeAll(keepingCapacity: true)
    let change: ChangeLine
    do throws(ChangeError) {
      change = try reader.read(line, key: &key)
    } catch {
      throw WireFailure(.change(error))
    }
    if change.kind == .checkpoint { return try consumeToken(line) }
    guard change.clock != nil else { throw WireFailure(.missingClock) }
    if let first = lines[key] {
      throw WireFailure(.duplicateKey(line: first.line, file: first.file == file ? nil : first.file))
    }
    var wireKey: [UInt8] = []
    let entry = try entry(change, line, try ownKey(of: line), wireKey: &wireKey)
    if let first = wireLines[wireKey] {
      throw WireFailure(.sameOnTheWire(line: first.line, file: first.file == file ? nil : first.file))
    }
    lines[key] = (number, file)
    wireLines[wireKey] = (number, file)
    if change.isTombstone { Self.append(entry, to: &deletes) } else { Self.append(entry, to: &upserts) }
  }

  /// The key of the last line read, with the line's own values, which are sent on the wire.
  private mutating func ownKey(of line: Span<UInt8>) throws(WireFailure) -> [UInt8] {
    guard reader.entity.identity != nil else { return key }
    var own: [UInt8] = []
    do throws(ChangeError) {
      try reader.appendOwnKey(of: line, to: &own)
    } catch {
      throw WireFailure(.change(error))
    }
    return own
  }

  private mutating func consumeToken(_ line: Span<UInt8>) throws(WireFailure) {
    do throws(WireError) {
      var object = WireObject()
      try object.read(line, line.onlyValue)
      encoder.losses.members += try object.foreign(
        to: [.newTokenData], in: line, isAccepted: encoder.isLossy)
      token = try WireToken.bytes(line, object.string(.newTokenData, in: line))
    } catch {
      throw WireFailure(token: error)
    }
  }

  private static func append(_ entry: [UInt8], to array: inout [UInt8]) {
    if !array.isEmpty { array.append(UInt8(ascii: ",")) }
    array.append(contentsOf: entry)
  }
}

/// The data that packing cut or left out on request.
package struct WireLosses: Equatable, Sendable {
  var fractions = 0
  var numbers = 0
  var nestedValues = 0
  var members = 0

  package init() {}

  mutating func add(_ more: WireLosses) {
    fractions += more.fractions
    numbers += more.numbers
    nestedValues += more.nestedValues
    members += more.members
  }

  /// The losses in words; nil if nothing was lost.
  package var description: String? {
    let counts = [
      ("times cut to whole seconds", fractions), ("numbers rounded", numbers),
      ("nested values left out", nestedValues), ("other members left out", members),
    ]
    let parts = counts.filter { $0.1 > 0 }.map { "\($0.0): \($0.1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
