extension MeshShapeWalk {
  // None of these is part of the walk's loops, whose variables would no longer fit into registers.

  @inline(never)
  func wrongType(_ shape: MeshShape, _ field: Int) -> MeshShapeError {
    let name = field == Self.whole ? "message" : table.name(field)
    return MeshShapeError("'\(name)' is not \(shape.expectation)")
  }

  @inline(never)
  func repeated(_ field: Int, among fields: Range<Int>) -> MeshShapeError {
    let names = fields.filter { table.bit($0) == table.bit(field) }.map { "'\(table.name($0))'" }
    return MeshShapeError(
      names.count > 1 ? "more than one of " + names.joined(separator: " and ") : "\(names[0]) stands twice")
  }

  @inline(never)
  func incomplete(_ shape: MeshShape, _ seen: UInt8) -> MeshShapeError {
    if table.kind(shape) == .choice {
      let names = table.fields(shape).map { "'\(table.name($0))'" }
      return MeshShapeError((seen == 0 ? "none of " : "more than one of ") + names.joined(separator: " and "))
    }
    let missing = table.needed(shape) & ~seen
    let names = table.fields(shape).filter { table.bit($0) & missing != 0 }.map { table.name($0) }
    return MeshShapeError("no member '\(names[0])'")
  }
}
