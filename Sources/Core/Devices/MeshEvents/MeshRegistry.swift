import JSONLines

/// The handles known from earlier sessions and this one: one entry per handle, in order of arrival.
package struct MeshRegistry: Sendable {
  /// The facts about a handle that a session has learned.
  package struct News: Equatable, Sendable {
    package var entry: RegisteredPeer
    /// Whether the peer itself announced its id, which overrides the id from earlier sessions.
    package var isAnnounced: Bool
  }

  package private(set) var entries: [RegisteredPeer] = []
  /// The places of the entries by the UTF-8 bytes of their handles.
  private var places: [[UInt8]: Int] = [:]
  /// The places of new entries, and whether they were announced.
  private var news: [Int: Bool] = [:]

  package init(_ entries: [RegisteredPeer] = []) {
    for entry in entries { _ = add(News(entry: entry, isAnnounced: true)) }
  }

  var hasNews: Bool { !news.isEmpty }

  subscript(_ handle: String) -> RegisteredPeer? { places[Array(handle.utf8)].map { entries[$0] } }

  mutating func note(_ entry: RegisteredPeer, isAnnounced: Bool) {
    guard add(News(entry: entry, isAnnounced: isAnnounced)), let place = places[Array(entry.handle.utf8)]
    else { return }
    news[place, default: false] = news[place, default: false] || isAnnounced
  }

  /// The facts learned since the last call.
  mutating func takeNews() -> [News] {
    defer { news = [:] }
    return news.sorted { $0.key < $1.key }.map { News(entry: entries[$0.key], isAnnounced: $0.value) }
  }

  /// Adds the news of a session; true if the registry has changed.
  ///
  /// Two simultaneous sessions may learn the same handle: an id that was not announced is replaced by the
  /// existing one.
  package mutating func add(_ news: [News]) -> Bool {
    news.reduce(false) { add($1) || $0 }
  }

  private mutating func add(_ item: News) -> Bool {
    let handle = Array(item.entry.handle.utf8)
    guard let place = places[handle] else {
      places[handle] = entries.count
      entries.append(item.entry)
      return true
    }
    var entry = item.entry
    if !item.isAnnounced { entry.id = entries[place].id }
    guard entries[place] != entry else { return false }
    entries[place] = entry
    return true
  }
}

/// The id that a handle has had in an earlier session.
package struct RegisteredPeer: Equatable, Sendable {
  /// The handle in the form in which ``MeshEventFilter`` distinguishes handles.
  package var handle: String
  package var id: String
  package var name: String
}

extension RegisteredPeer {
  /// Reads a line of a registry file.
  package init(parsing line: Span<UInt8>) throws(MeshError) {
    let members = try Members<MeshError>(parsing: line, refusing: .repeated)
    handle = try members.string("handle")
    id = try members.string("id")
    name = try members.string("name")
  }

  package var line: String {
    JSONValue.object([
      .init("handle", .string(handle)), .init("id", .string(id)), .init("name", .string(name)),
    ]).text + "\n"
  }
}
