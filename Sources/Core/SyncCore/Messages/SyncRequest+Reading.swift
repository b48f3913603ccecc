import JSONLines

extension SyncRequest.Facts {
  /// Nil where the members are absent.
  init?(_ members: MessageMembers, _ text: Span<UInt8>) throws(MessageError) {
    guard let rules = try members.object(.mergeRules, in: text) else { return nil }
    mergeRules = rules
    entities = StoredEntities()
    if let raw = try members.object(.entities, in: text) {
      guard let read = (try? JSONValue(parsing: raw.span)).flatMap(StoredEntities.init) else {
        throw .invalidValue(
          MessageName.entities.rawValue, expected: "arrays of names, one for each form of identity")
      }
      entities = read
    }
    mixesEntities = try members.flag(.mixEntities, in: text)
  }
}

extension MessageMembers {
  /// The text of a member that is an object of no more than 64 KiB; nil where it is absent.
  func object(_ name: MessageName, in text: Span<UInt8>) throws(MessageError) -> [UInt8]? {
    guard let raw = try find(name, in: text) else { return nil }
    guard text.isObject(raw) else { throw .wrongType(name.rawValue, expected: "an object") }
    guard raw.count <= SharedRules.longest else {
      throw .invalidValue(name.rawValue, expected: "an object of at most \(SharedRules.longest >> 10) KiB")
    }
    var bytes: [UInt8] = []
    bytes.append(text.extracting(raw))
    return bytes
  }
}
