package import JSONLines

/// Somebody in the mesh: an id that tells peers apart, and a name that people read.
public struct MeshPeer: Hashable, Sendable {
  /// The same in every session; two peers never share one, whatever their names are.
  public var id: String

  /// Says nothing about who it is: two devices may have the same one.
  public var name: String

  /// A peer of that id and name.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

extension MeshPeer {
  package init?(_ value: JSONValue) {
    guard let id = value["id"]?.stringValue, let name = value.peerName?.stringValue else { return nil }
    self.init(id: id, name: name)
  }

  package var json: JSONValue { ["id": .string(id), "name": .string(name)] }
}

extension JSONValue {
  /// The name of a peer, which callbacks and apps call `displayName`.
  var peerName: JSONValue? { self["name"] ?? self["displayName"] }

  /// Throws if an object that is read as a peer has its id or its name more than once.
  func requireSinglePeer() throws(MeshError) {
    let members = objectValue ?? []
    for name in ["id", "name", "displayName"] where members.count(named: name) > 1 {
      throw .duplicateMember(name)
    }
    if self["name"] != nil, self["displayName"] != nil { throw .severalNames }
  }
}
