import JSONLines

/// The id that a handle has had in an earlier session.
package struct RegisteredPeer: Equatable, Sendable {
  /// As ``MeshEventFilter`` tells handles apart.
  package var handle: String
  package var id: String
  package var name: String
}

extension RegisteredPeer {
  /// Reads a line of a registry file.
  package init(parsing line: Span<UInt8>) throws(MeshError) {
    let value = try JSONValue(meshLine: line)
    handle = try value.meshString("handle")
    id = try value.meshString("id")
    name = try value.meshString("name")
  }

  package var line: String {
    JSONValue.object([
      .init("handle", .string(handle)), .init("id", .string(id)), .init("name", .string(name)),
    ]).text + "\n"
  }
}
