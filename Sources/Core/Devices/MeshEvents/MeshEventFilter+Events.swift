import JSONLines

/// The events of `peerdiscover`, of `peerlink` and of this filter itself.
extension MeshEventFilter {
  mutating func handleEvent(_ line: Span<UInt8>, into output: inout [UInt8]) throws(MeshError) {
    let name = try members.string(.event, in: line)
    let at = members.time(in: line)
    switch name {
    case "messageReceived":
      let number = try number(
        of: try peer(.from, line), place(.from, line), needsName: false, at: at, into: &output)
      let raw = try members.require(.message, in: line)
      try book.receive(number, line.extracting(raw), at: at, into: &output)
    case "peerDiscovered", "peerUpdated":
      let number = try number(of: try peer(.peer, line), place(.peer, line), at: at, into: &output)
      book.find(number, at: at, into: &output)
    case "peerLost":
      let number = try number(
        of: try peer(.peer, line), place(.peer, line), needsName: false, at: at, into: &output)
      book.lose(number, at: at, into: &output)
    case "peerConnected":
      guard let peer = try linkedPeer(line) else { return }
      let number = try number(of: peer, place(.peer, line), at: at, into: &output)
      book.connect(number, at: at, into: &output)
    case "peerDisconnected":
      guard let peer = try linkedPeer(line) else { return }
      let place = try place(.peer, line)
      // An event may end an attempt that began without an event.
      let isClean = place == Self.noPlace
      let number = try number(of: peer, place, needsName: isClean, at: at, into: &output)
      if isClean, !book.hasLeft(number) { book.beginConnecting(number) }
      try book.disconnect(number, at: at, into: &output)
    case "startFailed":
      MeshEventText.appendFailure(
        role: try members.string(.role, in: line), reason: try members.string(.reason, in: line), at,
        to: &output)
    // These events do not change which peers are present.
    case "listening", "peerRefused", "advertised", "renamed", "withdrawn", "serviceTypeDiscovered": break
    default: throw .unknownValue("event", name)
    }
  }

  /// The peer of an event; its id is empty if the event does not have one.
  private struct EventPeer {
    /// The id as given; nil if it is absent.
    var givenID: String?
    /// The name; nil if not given.
    var name: String?

    var id: String { givenID ?? "" }
  }

  private func peer(_ member: MeshMember, _ line: Span<UInt8>) throws(MeshError) -> EventPeer {
    let raw = try members.require(member, in: line)
    guard line.isObject(raw), let value = try? JSONValue(parsing: line.extracting(raw)) else {
      throw .wrongType("\(member)", expected: "an object")
    }
    let peer = Members<MeshError>(value.objectValue ?? [], at: ["\(member)"])
    return EventPeer(givenID: try peer.optionalString("id"), name: try peer.peerName())
  }

  /// The peer of a link; nil for an untrusted one.
  private func linkedPeer(_ line: Span<UInt8>) throws(MeshError) -> EventPeer? {
    if members.has(.peer) { return try peer(.peer, line) }
    guard let id = try members.optionalString(.peerId, in: line) else { return nil }
    return EventPeer(givenID: id, name: try members.optionalString(.deviceName, in: line))
  }

  /// A byte that is not UTF-8, so it cannot be a handle of a callback.
  private static let noPlace: [UInt8] = [0xFF]

  /// The place that distinguishes an event's peer from others: a link's address or a service's instance.
  ///
  /// If the event has neither, the place is `noPlace`, and only the id distinguishes the peer.
  private func place(_ member: MeshMember, _ line: Span<UInt8>) throws(MeshError) -> [UInt8] {
    var place = Self.noPlace
    if let remote = try members.optionalString(.remote, in: line) {
      place += "link \(remote)".utf8
    } else if member == .peer, let instance = try members.optionalString(.instance, in: line) {
      place += "service \(try members.optionalString(.service, in: line) ?? "") \(instance)".utf8
      // Devices on different networks can have the same name.
      if let number = try members.find(.number, in: line), line.isNumber(number) {
        place.append(0xFF)
        place.append(line.extracting(number))
      }
    }
    return place
  }

  /// The number of the handle of a peer in a place; a visible peer needs a name, from this event or an
  /// earlier one.
  private mutating func number(
    of peer: EventPeer, _ place: [UInt8], needsName: Bool = true, at: Span<UInt8>,
    into output: inout [UInt8]
  ) throws(MeshError) -> Int {
    guard place != Self.noPlace || !peer.id.isEmpty else {
      throw peer.givenID == nil ? .missingMember("id") : .emptyID
    }
    let place = place == Self.noPlace ? place + Array("peer \(peer.id)".utf8) : place
    let number = numbers.find(place.span, 0..<place.count)
    let old = number.map { book.peer(of: $0) }
    let made = { Self.madeID(String(decoding: place.dropFirst(), as: UTF8.self), peer.name ?? "") }
    let id = peer.id.isEmpty ? old?.id ?? made() : peer.id
    let name = peer.name ?? old?.name ?? book.name(ofID: id) ?? ""
    guard peer.name != nil || !name.isEmpty || !needsName else { throw .missingMember("name") }
    if let number {
      try book.rename(number, MeshPeer(id: id, name: name), at: at, into: &output)
      return number
    }
    _ = numbers.add(place.span, 0..<place.count)
    return book.addHandle(of: MeshPeer(id: id, name: name))
  }
}
