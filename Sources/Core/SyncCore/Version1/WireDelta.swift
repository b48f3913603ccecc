import JSONLines

/// Where the parts of a v1 delta stand in its text.
package struct WireDelta: Equatable, Sendable {
  /// The array of upserts.
  var upserts: Range<Int>
  /// The array of deletes.
  var deletes: Range<Int>
  /// The raw string in `newTokenData`, with its quotes.
  var token: Range<Int>

  /// Finds the delta in a validated value: the value itself, or the `delta` of a syncResponse.
  ///
  /// All three members must be there. `ignored` becomes the number of members that are not of the wire, each of
  /// which is an error unless `isLossy`; what else a message has is nobody's business here.
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

  /// Appends the checkpoint line, the token spelled as it is, and a line feed.
  package func appendCheckpoint(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"newTokenData\":".utf8)
    bytes.append(text.extracting(token))
    bytes.append(contentsOf: "}\n".utf8)
  }

  /// A syncResponse of protocol version 1, or one that does not name its version.
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
