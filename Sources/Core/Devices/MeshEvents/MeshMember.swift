import JSONLines

/// The known member names in the lines of callbacks and events.
enum MeshMember: Int, CaseIterable, PlacedName {
  case callback, event, handle, displayName, discoveryInfo, state, data, error, at, peer, instance, number,
    service
  case peerId, deviceName, remote, message, from, reason, role, command

  static let spellings = PlacedSpellings(allCases.map { "\($0)" })
}

/// The places of the members of one line; reused from line to line.
typealias MeshMembers = PlacedMembers<MeshMember, MeshError>

extension MeshMembers {
  /// The raw value of the time, empty if it does not exist.
  @inline(__always)
  @_lifetime(copy text)
  func time(in text: Span<UInt8>) -> Span<UInt8> { text.extracting((try? find(.at, in: text)) ?? 0..<0) }
}

/// A callback of the multipeer framework, by the name in an app's log.
enum MeshCallback: CaseIterable {
  case receivedData, changedState, found, lost, invited, browserFailed, advertiserFailed
  /// Streams, files and certificates, which do not produce events.
  case stream, fileStarted, fileEnded, certificate

  var name: StaticString {
    switch self {
    case .receivedData: "session:didReceiveData:fromPeer:"
    case .changedState: "session:peer:didChangeState:"
    case .found: "browser:foundPeer:withDiscoveryInfo:"
    case .lost: "browser:lostPeer:"
    case .invited: "advertiser:didReceiveInvitationFromPeer:withContext:invitationHandler:"
    case .browserFailed: "browser:didNotStartBrowsingForPeers:"
    case .advertiserFailed: "advertiser:didNotStartAdvertisingPeer:"
    case .stream: "session:didReceiveStream:withName:fromPeer:"
    case .fileStarted: "session:didStartReceivingResourceWithName:fromPeer:withProgress:"
    case .fileEnded: "session:didFinishReceivingResourceWithName:fromPeer:atURL:withError:"
    case .certificate: "session:didReceiveCertificate:fromPeer:certificateHandler:"
    }
  }

  /// The callback that a raw string names.
  @inline(__always)
  static func named(_ text: Span<UInt8>, _ name: Range<Int>) -> MeshCallback? {
    if JSONString.isEqual(text, name, to: receivedData.name) { return .receivedData }
    return allCases.first { JSONString.isEqual(text, name, to: $0.name) }
  }
}

/// The state of a peer in a session.
enum MeshConnection: Int {
  case notConnected, connecting, connected

  /// The value of `state`: a word, or the framework's number.
  init(_ text: Span<UInt8>, _ raw: Range<Int>) throws(MeshError) {
    if text.isString(raw) {
      let word = text.content(raw)
      if JSONString.isEqual(text, word, to: "connected") { self = .connected; return }
      if JSONString.isEqual(text, word, to: "notConnected") { self = .notConnected; return }
      if JSONString.isEqual(text, word, to: "connecting") { self = .connecting; return }
    } else if raw.count == 1, let state = MeshConnection(rawValue: Int(text[raw.lowerBound]) - 48) {
      self = state
      return
    }
    throw .unknownValue("state", JSONString.decoded(text, text.isString(raw) ? text.content(raw) : raw))
  }
}
