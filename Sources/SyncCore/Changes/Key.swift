import JSONLines

/// Where a line says what it is about: an entity and an identity.
struct Key {
  enum Identity {
    /// The `identity` of a change line.
    case object(Range<Int>)
    /// Members of a plain record, under the names that they have in the identity, in the order of the names.
    case members([(name: String, value: Range<Int>)])
  }

  /// Nil where the line names no entity.
  var entityName: Range<Int>?
  var identity: Identity

  /// The form by which keys are compared: canonical JSON of `[entityName, identity]`.
  func appendCanonical(_ line: Span<UInt8>, else fallback: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    append(line, else: fallback, between: ",", isCanonical: true, to: &bytes)
    bytes.append(UInt8(ascii: "]"))
  }

  /// The first two members of a change line, each value spelled as the line spells it.
  func appendMembers(_ line: Span<UInt8>, else fallback: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "\"entityName\":".utf8)
    append(line, else: fallback, between: ",\"identity\":", isCanonical: false, to: &bytes)
  }

  private func append(
    _ line: Span<UInt8>, else fallback: String, between separator: String, isCanonical: Bool,
    to bytes: inout [UInt8]
  ) {
    if let entityName {
      append(line, entityName, isCanonical, to: &bytes)
    } else {
      JSONString.appendQuoted(fallback, to: &bytes)
    }
    bytes.append(contentsOf: separator.utf8)
    switch identity {
    case .object(let range): append(line, range, isCanonical, to: &bytes)
    case .members(let members):
      for (index, member) in members.enumerated() {
        bytes.append(UInt8(ascii: index == 0 ? "{" : ","))
        JSONString.appendQuoted(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(line, member.value, isCanonical, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private func append(
    _ line: Span<UInt8>, _ value: Range<Int>, _ isCanonical: Bool, to bytes: inout [UInt8]
  ) {
    if isCanonical {
      CanonicalJSON.append(line, value, to: &bytes)
    } else {
      bytes.append(line.extracting(value))
    }
  }
}
