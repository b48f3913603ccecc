package import JSONLines

extension JSONPointer {
  /// A member of a plain record that looks like its clock though no rule names it; nil if no member does.
  ///
  /// Its name speaks of a change, and its value can be read as a clock.
  package static func likelyClock(in line: Span<UInt8>, _ shape: RecordShape) -> JSONPointer? {
    guard let record = try? JSONValue(parsing: line), let members = record.objectValue,
      record["identity"] == nil
    else { return nil }
    // Each is one more reading of the line.
    return candidates(members, below: []).prefix(16).first { pointer in
      var (shape, key) = (shape, [UInt8]())
      shape.clock = pointer
      var reader = LineReader(shape)
      return (try? reader.read(line, key: &key))?.clock != nil
    }
  }

  /// In the order of the members; an object among them is looked into, and no deeper one.
  private static func candidates(_ members: [JSONMember], below place: [String]) -> [JSONPointer] {
    members.flatMap { member -> [JSONPointer] in
      switch member.value {
      case .number, .string:
        let name = member.name.lowercased()
        return marks.contains { name.contains($0) } ? [JSONPointer(tokens: place + [member.name])] : []
      case .object(let inner) where place.isEmpty: return candidates(inner, below: [member.name])
      default: return []
      }
    }
  }

  private static let marks = ["modif", "updat", "chang", "edit", "stamp", "mtime", "saved"]
}
