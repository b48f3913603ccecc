import JSONLines

/// The events of `peerdiscover`, of `peerlink` and of this filter itself.
extension MeshEventFilter {
  mutating func takeEvent(_ line: Span<UInt8>, into output: inout [UInt8]) throws(MeshError) {
    let name = try members.string(.event, in: line)
    let at = members.time(in: line)
    switch name {
    case "messageReceived":
      let number = try number(of: try peer(.from, line), place(.from, line), at: at, into: &output)
      let raw = try members.require(.message, in: line)
      try book.receive(number, line.extracting(raw), at: at, into: &output)
    case "peerDiscovered", "peerUpdated":
      let number = try number(of: try peer(.peer, line), place(.peer, line), at: at, into: &output)
      book.find(number, at: at, into: &output)
    case "peerLost":
      let number = try number(of: try peer(.peer, line), place(.peer, line), at: at, into: &output)
      book.lose(number, at: at, into: &output)
    case "peerConnected":
      guard let peer = try linkedPeer(line) else { return }
      book.connect(try number(of: peer, place(.peer, line), at: at, into: &output), at: at, into: &output)
    case "peerDisconnected":
      guard let peer = try linkedPeer(line) else { return }
      try book.disconnect(
        try number(of: peer, place(.peer, line), at: at, into: &output), at: at, into: &output)
    case "startFailed":
      MeshEventText.appendFailure(
        role: try members.string(.role, in: line), reason: try members.string(.reason, in: line), at,
        to: &output)
    // What says nothing about who is there.
    case "listening", "peerRefused", "advertised", "renamed", "withdrawn", "serviceTypeDiscovered": break
    default: throw .unknownValue("event", name)
    }
  }

  /// The peer of an event, with an empty id where it announces none and an empty name where none is told.
  private func peer(_ member: MeshMember, _ line: Span<UInt8>) throws(MeshError) -> MeshPeer {
    let raw = try members.require(member, in: line)
    guard line.isObject(raw), let value = try? JSONValue(parsing: line.extracting(raw)) else {
      throw .wrongType("\(member)", expected: "an object")
    }
    return MeshPeer(
      id: try Self.text(value["id"], "id"), name: try Self.text(value["name"], "name"))
  }

  private static func text(_ value: JSONValue?, _ name: String) throws(MeshError) -> String {
    switch value {
    case nil, .null: return ""
    case .string(let text): return text
    default: throw .wrongType(name, expected: "a string")
    }
  }

  /// The peer of a link; nil for one that is not trusted yet, which is nobody in particular.
  private func linkedPeer(_ line: Span<UInt8>) throws(MeshError) -> MeshPeer? {
    if members.has(.peer) { return try peer(.peer, line) }
    guard let id = try members.optionalString(.peerId, in: line) else { return nil }
    return MeshPeer(id: id, name: try members.optionalString(.deviceName, in: line) ?? "")
  }

  /// What tells an event's peer from others: a link's address, a service's instance, or nothing but the id.
  private func place(_ member: MeshMember, _ line: Span<UInt8>) throws(MeshError) -> [UInt8] {
    // Not UTF-8, so that it is no handle of a callback.
    var place: [UInt8] = [0xFF]
    if let remote = try members.optionalString(.remote, in: line) {
      place += "link \(remote)".utf8
    } else if member == .peer, let instance = try members.optionalString(.instance, in: line) {
      place += "service \(try members.optionalString(.service, in: line) ?? "") \(instance)".utf8
    }
    return place
  }

  private mutating func number(
    of peer: MeshPeer, _ place: [UInt8], at: Span<UInt8>, into output: inout [UInt8]
  ) throws(MeshError) -> Int {
    guard place.count > 1 || !peer.id.isEmpty else { throw .missingMember("id") }
    var place = place
    var peer = peer
    if place.count == 1 { place += "peer \(peer.id)".utf8 }
    if let number = numbers.find(place.span, 0..<place.count) {
      if peer.id.isEmpty { peer.id = book.peer(of: number).id }
      if peer.name.isEmpty { peer.name = book.peer(of: number).name }
      try book.rename(number, peer, at: at, into: &output)
      return number
    }
    if peer.id.isEmpty {
      peer.id = Self.madeID(String(decoding: place.dropFirst(), as: UTF8.self), peer.name)
    }
    _ = numbers.add(place.span, 0..<place.count)
    return book.addHandle(of: peer)
  }
}
