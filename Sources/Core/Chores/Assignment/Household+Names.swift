extension Household {
  /// The shortest beginning of an id that is looked for.
  static let shortestPrefix = 4

  /// The places of members that have this id, else this name, else an id that begins so.
  package func members(named text: String) -> [Int] {
    let id = RecordID(text)
    if let index = index(of: id) { return [index] }
    let named = members.indices.filter { members[$0].name == text }
    if !named.isEmpty { return named }
    guard id.bytes.count >= Self.shortestPrefix else { return [] }
    return members.indices.filter { members[$0].id.begins(with: id) }
  }
}
