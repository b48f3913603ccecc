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

/// The registry: one entry a handle, in the order in which they came.
struct MeshRegistry {
  private(set) var entries: [RegisteredPeer]
  private var places: [String: Int] = [:]
  var hasChanged = false

  init(_ entries: [RegisteredPeer]) {
    self.entries = entries
    for (index, entry) in entries.enumerated() { places[entry.handle] = index }
  }

  subscript(_ handle: String) -> RegisteredPeer? { places[handle].map { entries[$0] } }

  mutating func note(_ entry: RegisteredPeer) {
    guard let place = places[entry.handle] else {
      places[entry.handle] = entries.count
      entries.append(entry)
      hasChanged = true
      return
    }
    guard entries[place] != entry else { return }
    entries[place] = entry
    hasChanged = true
  }
}
