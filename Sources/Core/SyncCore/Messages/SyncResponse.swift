package import JSONLines

/// The changes after a token, or a page of them.
package struct SyncResponse: Equatable, Sendable {
  package var peerId: String
  package var deviceName: String
  package var content: Content
  /// The end of the page, where the next request starts; an empty token is not a checkpoint.
  package var token: [UInt8]
  /// Whether more pages follow; version 2.
  package var hasMore = false
  /// The next page is sent without a request; version 2, with `hasMore`.
  package var continues = false
  /// The approximate number of changes after the page, 0 if unknown; version 2.
  package var remaining = 0
  /// The facts on the first page of the answer to a resync; version 2.
  package var resync: ResyncFacts?
  /// The rules of the answering store as canonical JSON, for a requester without rules; version 2.
  package var rules: [UInt8]?

  /// Unreadable changes, for the quarantine of the requester; never sent.
  package var unusable: [UnusableEntry] = []

  /// The longest line that a store accepts, in bytes.
  package static let longestLine = StorableLine.longest

  static let mostRemaining = 1_000_000_000_000

  /// The longest token, in bytes.
  package static let longestToken = 64 << 10

  package enum Content: Equatable, Sendable {
    /// Version 1: the JSON of the complete delta.
    case delta([UInt8])
    /// Version 2: change lines verbatim, each with its LF.
    case lines([UInt8])
  }

  package init(
    peerId: String, deviceName: String, content: Content, token: [UInt8], hasMore: Bool = false,
    resync: ResyncFacts? = nil
  ) {
    (self.peerId, self.deviceName, self.content) = (peerId, deviceName, content)
    (self.token, self.hasMore, self.resync) = (token, hasMore, resync)
  }
}

/// The facts that the requester of a resync needs before it removes records.
public struct ResyncFacts: Equatable, Sendable {
  /// The answering side's checkpoint for the requester; empty if missing.
  public var heldToken: [UInt8]
  /// Canonical keys of changes that the answering side holds in quarantine.
  public var quarantinedKeys: [String]

  /// The facts of a store.
  public init(heldToken: [UInt8] = [], quarantinedKeys: [String] = []) {
    (self.heldToken, self.quarantinedKeys) = (heldToken, quarantinedKeys)
  }
}

extension SyncResponse {
  /// The token of a delta, and whether it is empty; the content of entries is ignored.
  static func delta(
    _ text: Span<UInt8>, _ raw: Range<Int>
  ) throws(MessageError) -> (token: [UInt8], isEmpty: Bool) {
    guard text.isObject(raw) else { throw .wrongType(MessageName.delta.name, expected: "an object") }
    var ignored = 0
    let delta: WireDelta
    do throws(WireFailure) {
      delta = try WireDelta(text, raw, isLossy: true, ignored: &ignored)
    } catch {
      throw .invalidValue(MessageName.delta.name, expected: "a delta (\(error.message))")
    }
    let token = (try? WireToken.bytes(text, delta.token)) ?? []
    try MessageMembers.check(token, .delta)
    return (token, text.isEmptyArray(delta.upserts) && text.isEmptyArray(delta.deletes))
  }

  /// The elements of `changes`, verbatim, each with a LF.
  static func lines(_ members: MessageMembers, _ text: Span<UInt8>) throws(MessageError) -> [UInt8] {
    guard let elements = try members.elements(.changes, in: text) else {
      throw .missingMember(MessageName.changes.name)
    }
    var lines: [UInt8] = []
    for raw in elements {
      guard text.isObject(raw) else {
        throw .wrongType(MessageName.changes.name, expected: "an array of objects")
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

/// An entry of a delta that cannot be read.
package struct UnusableEntry: Equatable, Sendable {
  /// The entry's JSON.
  package var text: [UInt8]
  /// A code of docs/exit-status.md.
  package var code: ErrorCode
  /// A line with the same key, if the entry has a key.
  package var outline: [UInt8] = []

  package init(text: [UInt8], code: ErrorCode) { (self.text, self.code) = (text, code) }

  /// The beginning of a change that stores do not accept, as a JSON string.
  package init(excerptOf change: Span<UInt8>, code: ErrorCode, outline: [UInt8] = []) {
    let beginning = Array(copying: change.extracting(0..<min(change.count, Self.longestExcerpt)))
    let text = String(decoding: beginning, as: UTF8.self)
    self.init(text: Array(JSONValue.string(text).text.utf8), code: code)
    self.outline = outline
  }

  /// Limits an entry, so that a peer with many entries cannot fill the quarantine.
  private static let longestExcerpt = 64 << 10
}
