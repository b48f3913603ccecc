import JSONLines

/// A member that the lines of callbacks and events are read by.
enum MeshMember: Int, CaseIterable, LineMemberName {
  case callback, event, handle, displayName, discoveryInfo, state, data, error, at, peer, instance, service
  case peerId, deviceName, remote, message, from, reason, role, command

  static let count = allCases.count
  private static let spellings = allCases.map { Array("\($0)".utf8) }

  /// The member of that name, which is raw.
  init?(_ text: Span<UInt8>, _ name: Range<Int>) {
    guard let member = Self.plain(text, name) ?? Self.unescaped(text, name) else { return nil }
    self = member
  }

  /// The member that a name with escapes decodes to.
  ///
  /// It is compared where it is: a decoded copy may contain a backslash, which must not be decoded again.
  private static func unescaped(_ text: Span<UInt8>, _ name: Range<Int>) -> MeshMember? {
    guard ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: text, name) != nil else { return nil }
    return allCases.first { JSONString.isEqual(text, name, to: spellings[$0.rawValue]) }
  }

  private static func plain(_ text: Span<UInt8>, _ name: Range<Int>) -> MeshMember? {
    switch name.count {
    case 2: one(text, name, "at", .at)
    case 4:
      one(text, name, "data", .data) ?? one(text, name, "from", .from) ?? one(text, name, "peer", .peer)
        ?? one(text, name, "role", .role)
    case 5:
      one(text, name, "event", .event) ?? one(text, name, "state", .state) ?? one(text, name, "error", .error)
    case 6:
      one(text, name, "handle", .handle) ?? one(text, name, "peerId", .peerId)
        ?? one(text, name, "remote", .remote) ?? one(text, name, "reason", .reason)
    case 7:
      one(text, name, "message", .message) ?? one(text, name, "service", .service)
        ?? one(text, name, "command", .command)
    case 8: one(text, name, "callback", .callback) ?? one(text, name, "instance", .instance)
    case 10: one(text, name, "deviceName", .deviceName)
    case 11: one(text, name, "displayName", .displayName)
    case 13: one(text, name, "discoveryInfo", .discoveryInfo)
    default: nil
    }
  }

  @inline(__always)
  private static func one(
    _ text: Span<UInt8>, _ name: Range<Int>, _ spelling: StaticString, _ member: MeshMember
  ) -> MeshMember? {
    JSONString.isEqual(text, name, to: spelling) ? member : nil
  }
}

/// Where the members of one line stand; kept from line to line.
struct MeshMembers: MemberSink {
  private var places = [Range<Int>](repeating: 0..<0, count: MeshMember.count)
  private var seen: UInt32 = 0
  private var repeated: MeshMember?
  private var layout = LineLayout<MeshMember>()

  mutating func clear() {
    seen = 0
    repeated = nil
    layout.begin()
  }

  // Not part of the scanner's loop, whose variables would no longer fit into registers.
  @inline(never)
  mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
    guard let member = layout.next(text, name) else { return }
    let bit = UInt32(1) &<< UInt32(member.rawValue)
    if seen & bit != 0 { repeated = member }
    seen |= bit
    places[member.rawValue] = value
  }

  /// A line in which a member that is read stands twice says two things.
  func requireSingle() throws(MeshError) {
    if let repeated { throw .duplicateMember("\(repeated)") }
  }

  func has(_ member: MeshMember) -> Bool { seen & 1 &<< UInt32(member.rawValue) != 0 }

  /// The raw value; nil where the member is absent or null.
  @inline(__always)
  func value(_ member: MeshMember, in text: Span<UInt8>) -> Range<Int>? {
    guard has(member) else { return nil }
    let raw = places[member.rawValue]
    return text.isNull(raw) ? nil : raw
  }

  @inline(__always)
  func require(_ member: MeshMember, in text: Span<UInt8>) throws(MeshError) -> Range<Int> {
    guard let raw = value(member, in: text) else { throw .missingMember("\(member)") }
    return raw
  }

  /// The content of a string, without its quotes.
  @inline(__always)
  func content(_ member: MeshMember, in text: Span<UInt8>) throws(MeshError) -> Range<Int> {
    let raw = try require(member, in: text)
    guard text.isString(raw) else { throw .wrongType("\(member)", expected: "a string") }
    return text.content(raw)
  }

  /// The raw value of the time, empty where there is none.
  @inline(__always)
  @_lifetime(copy text)
  func time(in text: Span<UInt8>) -> Span<UInt8> { text.extracting(value(.at, in: text) ?? 0..<0) }

  func string(_ member: MeshMember, in text: Span<UInt8>) throws(MeshError) -> String {
    JSONString.decoded(text, try content(member, in: text))
  }

  /// Nil where the member is absent or null.
  func optionalString(_ member: MeshMember, in text: Span<UInt8>) throws(MeshError) -> String? {
    value(member, in: text) == nil ? nil : try string(member, in: text)
  }
}

/// A callback of the multipeer framework, by the name that an app logs it with.
enum MeshCallback: CaseIterable {
  case receivedData, changedState, found, lost, invited, browserFailed, advertiserFailed
  /// Streams, files and certificates: they make no event.
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

/// What a session says about a peer.
enum MeshConnection: Int {
  case notConnected, connecting, connected

  /// The value of `state`: a word, or the number that the framework has for it.
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
