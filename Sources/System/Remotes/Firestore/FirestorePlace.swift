import JSONLines
import SyncCore

/// The URL of a collection, split into its parts.
package struct CollectionPath: Equatable, Sendable {
  package let project: String
  /// The path of the collection: `tasks`, or `users/ann/tasks`.
  package let segments: [String]

  /// Reads `firestore://PROJECT/COLLECTION`; nil for another text.
  package init?(_ word: String) {
    guard word.hasPrefix("firestore://") else { return nil }
    // Compare bytes: an id may begin with a combining mark.
    let parts = word.dropFirst("firestore://".count).parts(at: "/")
    guard parts.count >= 2, parts.count % 2 == 0 else { return nil }
    let isProject = parts[0].utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A: true
      default: false
      }
    }
    let areIds = parts.dropFirst().allSatisfy { part in
      !part.isEmpty && part.utf8.count <= 1_500 && part != "." && part != ".."
        && !DocumentValues.isReserved(part) && part.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
    guard isProject, !parts[0].isEmpty, parts[0] != ".", parts[0] != "..", areIds,
      !parts[parts.count - 1].endsInBytes(of: Self.beside)
    else { return nil }
    project = parts[0]
    segments = Array(parts.dropFirst())
  }

  /// The id of the collection.
  package var collection: String { segments[segments.count - 1] }
  /// The path of the document above it; empty for the root.
  var parent: [String] { Array(segments.dropLast()) }

  /// The prefix of the service's names for documents of the project.
  var root: String { "projects/\(project)/databases/(default)/documents" }

  /// The collection's id in stores: the UUIDv5 of its URL.
  package var id: String { UUIDNames(in: Self.urls).id(of: url).text }

  /// The namespace of URLs (RFC 9562 §6.6).
  private static let urls = UUIDValue(high: 0x6BA7_B811_9DAD_11D1, low: 0x80B4_00C0_4FD4_30C8)

  /// The path of the collection below the root.
  var path: String { segments.joined(separator: "/") }

  func name(of id: String) -> String { "\(root)/\(path)/\(id)" }

  /// The collection in which stores note their progress and the documents that they removed.
  ///
  /// It is beside the collection, so it does not appear when an app lists its own documents.
  var checkpoints: String { collection + Self.beside }
  private static let beside = "-peersync"

  /// The path of the checkpoint collection below the root.
  var checkpointPath: String { (parent + [checkpoints]).joined(separator: "/") }

  func checkpointName(_ store: String) -> String { "\(root)/\(checkpointPath)/\(store)" }
}

/// The progress in reading a collection, which is the token of a dialogue.
struct FirestorePlace: Equatable {
  enum Phase: String {
    /// The notes of other stores about the documents that they removed.
    case removals
    /// All documents, in the order of their names.
    case all
    /// Documents with a note, in the order of the server's time in it.
    case changes
    /// Comparison of the number of documents with the number of known documents.
    case check
    /// Comparison of all document names with the known names.
    case sweep
  }

  var phase = Phase.removals
  /// The last document read in this phase, and the time in its note.
  var after: String?
  var at: String?
  /// The server's time from which changes must still be read.
  var from: String?
  /// The server's time when the current reading began.
  var began: String?
  /// The server's time when all names were last compared.
  var swept: String?

  init() {}

  /// Reads a token; nil for a token of another program.
  init?(token: [UInt8]) {
    guard let value = try? JSONValue(parsing: token.span), value["firestore"]?.intValue == 1,
      let phase = value["phase"]?.stringValue.flatMap({ Phase(rawValue: $0) })
    else { return nil }
    self.phase = phase
    (after, at) = (value["after"]?.stringValue, value["at"]?.stringValue)
    from = value["from"]?.stringValue
    (began, swept) = (value["began"]?.stringValue, value["swept"]?.stringValue)
  }

  var token: [UInt8] {
    var members = [JSONMember("firestore", 1), JSONMember("phase", .string(phase.rawValue))]
    for (name, text) in [("after", after), ("at", at), ("from", from), ("began", began), ("swept", swept)] {
      if let text { members.append(JSONMember(name, .string(text))) }
    }
    return Array(JSONValue.object(members).text.utf8)
  }

  /// The place at the beginning of the next phase.
  func entering(_ phase: Phase) -> Self {
    var place = self
    (place.phase, place.after, place.at) = (phase, nil, nil)
    return place
  }

  /// Moves to a document of a phase that is ordered by a time in the documents.
  mutating func move(to last: Document, _ time: String?) throws(Diagnostic) {
    guard let time, time != at || after.map({ DocumentID($0) != DocumentID(last.id) }) ?? true else {
      throw Diagnostic(.protocolBroken, "the documents are not in the requested order")
    }
    (at, after) = (time, last.id)
  }

  /// The place at the end of a reading; the next reading covers all changes since this reading began.
  var finished: Self {
    var place = entering(.removals)
    (place.from, place.began) = (began ?? from, nil)
    return place
  }
}
