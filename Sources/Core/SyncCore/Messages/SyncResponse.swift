/// The changes after a token, or a page of them.
package struct SyncResponse: Equatable, Sendable {
  package var peerId: String
  package var deviceName: String
  package var content: Content
  /// The end of the page, to be asked on from; empty is no checkpoint.
  package var token: [UInt8]
  /// There are more pages; version 2.
  package var hasMore = false
  /// On the first page of the answer to a resync; version 2.
  package var resync: ResyncFacts?
  /// The rules of the answering store as canonical JSON, for an asker that has none; version 2.
  package var rules: [UInt8]?

  /// Changes that no reader can read, for the quarantine of the asker; never sent.
  package var unusable: [UnusableEntry] = []

  /// A store takes no longer line, in bytes.
  package static let longestLine = StorableLine.longest

  /// So many bytes a token may have.
  package static let longestToken = 64 << 10

  package enum Content: Equatable, Sendable {
    /// Version 1: the JSON of the delta with everything in it.
    case delta([UInt8])
    /// Version 2: change lines verbatim, each with its LF.
    case lines([UInt8])
  }

  package init(
    peerId: String, deviceName: String, content: Content, token: [UInt8], hasMore: Bool = false,
    resync: ResyncFacts? = nil
  ) {
    self.peerId = peerId
    self.deviceName = deviceName
    self.content = content
    self.token = token
    self.hasMore = hasMore
    self.resync = resync
  }
}

/// What the asker of a resync must know before it removes anything.
package struct ResyncFacts: Equatable, Sendable {
  /// The answering side's checkpoint on the asker; empty for none.
  package var heldToken: [UInt8]
  /// Canonical keys of changes that the answering side holds in quarantine.
  package var quarantinedKeys: [String]

  package init(heldToken: [UInt8] = [], quarantinedKeys: [String] = []) {
    self.heldToken = heldToken
    self.quarantinedKeys = quarantinedKeys
  }
}
