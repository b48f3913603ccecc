package import JSONLines

extension MeshGuest.View {
  /// As `meshevents guest` writes it.
  package var json: JSONValue {
    [
      "isConnected": .bool(isConnected), "state": snapshot?.json ?? .null,
      "pending": .array(pending.map(\.json)),
    ]
  }
}
