import JSONLines

/// The places of the parts of a v1 delta in its text.
package struct WireDelta: Equatable, Sendable {
  /// The array of upserts.
  var upserts: Range<Int>
  /// The array of deletes.
  var deletes: Range<Int>
  /// The raw string in `newTokenData`, with its quotes.
  var token: Range<Int>

  /// Finds the delta in a validated value: the value itself, or the `delta` of a syncResponse.
  ///
  /// All three members must be present. Without `isLossy`, an unknown member of the delta is an error;
  /// otherwise `ignored` counts it. Unknown members of a message are always ignored.
  package init(
    _ text: Span<UInt8>, _ raw: Range<Int>, isLossy: Bool, ignored: inout Int
  ) throws(WireFailure) {
    do throws(WireError) {
      var object = WireObject()
      try object.read(text, raw)
      if object.has(.type) || object.has(.delta) {
        try Self.checkMessage(object, text)
        try object.read(text, object.value(.delta))
      }
      try object.requireSingle(.delta)
      upserts = try object.array(.upserts, in: text)
      deletes = try object.array(.deletes, in: text)
      token = try Self.token(object, text)
      ignored += try object.foreign(to: .delta, in: text, isAccepted: isLossy)
    } catch {
      throw WireFailure(token: error)
    }
  }

  /// Appends the checkpoint line, with the token in its spelling, and a line feed.
  package func appendCheckpoint(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"newTokenData\":".utf8)
    bytes.append(text.extracting(token))
    bytes.append(contentsOf: "}\n".utf8)
  }

  /// A delta with only one entry, and without a token, so that it does not move a checkpoint.
  package static func text(ofOnly entry: WireEntry, of text: Span<UInt8>) -> [UInt8] {
    let isUpsert = entry.kind == .upsert
    var bytes = Array((isUpsert ? "{\"upserts\":[" : "{\"upserts\":[],\"deletes\":[").utf8)
    bytes.append(text.extracting(entry.raw))
    return bytes + (isUpsert ? "],\"deletes\":[],\"newTokenData\":\"\"}" : "],\"newTokenData\":\"\"}").utf8
  }

  /// Checks for a syncResponse of protocol version 1, or one that does not name its version.
  static func checkMessage(_ message: WireObject, _ text: Span<UInt8>) throws(WireError) {
    try message.requireSingle(.message)
    let type = try message.string(.type, in: text)
    guard JSONString.isEqual(text, text.content(type), to: "syncResponse") else { throw .notASyncResponse }
    guard message.has(.protocolVersion) else { return }
    let version = try message.value(.protocolVersion)
    guard text.isNumber(version), ExactDecimal(text, version).isOne else {
      throw .incompatibleProtocolVersion
    }
  }

  private static func token(_ object: WireObject, _ text: Span<UInt8>) throws(WireError) -> Range<Int> {
    let raw = try object.string(.newTokenData, in: text)
    _ = try WireToken.bytes(text, raw)
    return raw
  }
}

extension ExactDecimal {
  fileprivate var isOne: Bool { isInteger && floor(timesTenToThe: 0) == 1 }
}

/// Steps through a delta in the order of version 1: first all deletes, then all upserts.
package struct WireEntries: Sendable {
  private let upserts: Range<Int>
  private var kind = WireEntry.Kind.delete
  private var cursor: ContainerCursor
  private var count = 0

  package init(_ delta: WireDelta) {
    upserts = delta.upserts
    cursor = ContainerCursor(opening: delta.deletes.lowerBound)
  }

  package mutating func next(in text: Span<UInt8>) -> WireEntry? {
    while !cursor.hasNext(in: text) {
      guard kind == .delete else { return nil }
      kind = .upsert
      cursor = ContainerCursor(opening: upserts.lowerBound)
      count = 0
    }
    defer { count += 1 }
    return WireEntry(kind: kind, index: count, raw: cursor.passValue(in: text))
  }
}

/// One upsert or delete of a delta, and its place.
package struct WireEntry: Equatable, Sendable {
  package enum Kind: String, Sendable { case upsert, delete }

  package var kind: Kind
  /// The index of the entry in its array.
  var index: Int
  package var raw: Range<Int>
}

/// The token of a checkpoint, which is Base64 in a JSON string.
enum WireToken {
  /// The bytes of a raw string with its quotes; missing padding is accepted.
  static func bytes(_ text: Span<UInt8>, _ raw: Range<Int>) throws(WireError) -> [UInt8] {
    var decoded: [UInt8] = []
    JSONString.appendDecoded(text, text.content(raw), to: &decoded)
    var bytes: [UInt8] = []
    do throws(Base64.Failure) {
      try Base64.decode(decoded.span, into: &bytes)
    } catch {
      throw .invalidToken(error.message)
    }
    return bytes
  }
}

extension WireFailure {
  /// The failure of reading a token; its place is the token only if the token's own text is invalid.
  init(token error: WireError) {
    if case .invalidToken = error { self.init(error, at: ["newTokenData"]) } else { self.init(error) }
  }
}

/// A syncResponse message, split at the place of its delta.
///
/// Line breaks, which in JSON can appear only between tokens, are removed, so the message fits on one line;
/// every other byte is preserved.
package struct WireResponse: Equatable, Sendable {
  package private(set) var head: [UInt8] = []
  package private(set) var tail: [UInt8] = []

  /// Reads a message of protocol version 1; the place of a missing delta is after its last member.
  package init(_ text: Span<UInt8>) throws(WireFailure) {
    do throws(JSONError) {
      try JSONScanner.validate(text)
    } catch {
      throw WireFailure(.json(error))
    }
    do throws(WireError) {
      let raw = text.onlyValue
      var object = WireObject()
      try object.read(text, raw)
      try WireDelta.checkMessage(object, text)
      if object.has(.delta) { cut(text, raw, around: try object.value(.delta)) } else { extend(text, raw) }
    } catch {
      throw WireFailure(error)
    }
  }

  private mutating func cut(_ text: Span<UInt8>, _ raw: Range<Int>, around delta: Range<Int>) {
    head = Self.line(text, raw.lowerBound..<delta.lowerBound)
    tail = Self.line(text, delta.upperBound..<raw.upperBound)
  }

  /// The message has a `type`, so a comma is needed.
  private mutating func extend(_ text: Span<UInt8>, _ raw: Range<Int>) {
    head = Self.line(text, raw.lowerBound..<raw.upperBound - 1) + Array(",\"delta\":".utf8)
    tail = [UInt8(ascii: "}")]
  }

  private static func line(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    for offset in range where text[offset] != 10 && text[offset] != 13 { bytes.append(text[offset]) }
    return bytes
  }
}
