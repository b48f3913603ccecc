import JSONLines

extension SyncResponse {
  /// The token of a delta, and whether it has no entries; what the entries say is not looked at.
  static func delta(
    _ text: Span<UInt8>, _ raw: Range<Int>
  ) throws(MessageError) -> (token: [UInt8], isEmpty: Bool) {
    guard text.isObject(raw) else { throw .wrongType(MessageName.delta.rawValue, expected: "an object") }
    var ignored = 0
    let delta: WireDelta
    do throws(WireFailure) {
      delta = try WireDelta(text, raw, isLossy: true, ignored: &ignored)
    } catch {
      throw .invalidValue(MessageName.delta.rawValue, expected: "a delta (\(error.message))")
    }
    let token = (try? WireToken.bytes(text, delta.token)) ?? []
    try MessageMembers.check(token, .delta)
    return (token, text.isEmptyArray(delta.upserts) && text.isEmptyArray(delta.deletes))
  }

  /// The elements of `changes`, verbatim, each with a LF.
  static func lines(_ members: MessageMembers, _ text: Span<UInt8>) throws(MessageError) -> [UInt8] {
    guard let elements = try members.elements(.changes, in: text) else {
      throw .missingMember(MessageName.changes.rawValue)
    }
    var lines: [UInt8] = []
    for raw in elements {
      guard text.isObject(raw) else {
        throw .wrongType(MessageName.changes.rawValue, expected: "an array of objects")
      }
      lines.append(contentsOf: text.withoutLineBreaks(raw))
      lines.append(10)
    }
    return lines
  }

  static func resyncFacts(
    _ members: MessageMembers, _ text: Span<UInt8>
  ) throws(MessageError) -> ResyncFacts? {
    guard let held = try members.token(.heldTokenData, in: text) else { return nil }
    var facts = ResyncFacts(heldToken: held)
    for raw in try members.elements(.quarantinedKeys, in: text) ?? [] {
      facts.quarantinedKeys.append(try MessageMembers.string(.quarantinedKeys, text, raw))
    }
    return facts
  }
}

extension Span<UInt8> {
  fileprivate func isEmptyArray(_ raw: Range<Int>) -> Bool {
    var cursor = ContainerCursor(opening: raw.lowerBound)
    return !cursor.hasNext(in: self)
  }
}
