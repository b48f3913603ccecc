import JSONLines
import SyncCore

/// The document ids for records.
struct DocumentName {
  /// The single member of an identity; its value is the document's id.
  let member: String

  /// Uses the key of the entity's plain records: `id`, unless the store's rules name another member.
  init(_ entity: String, _ shape: RecordShape) {
    let keys = shape.profile[Array(entity.utf8)].keys
    let pointers = keys.isEmpty ? shape.keys : keys
    member = pointers.count == 1 ? pointers[0].tokens.last ?? "id" : "id"
  }

  /// The id for an identity: the value of its member if that can be an id.
  ///
  /// Otherwise it is `k.` and the Base64url of the identity as canonical JSON.
  func id(of identity: JSONValue) throws(DocumentProblem) -> String {
    if let members = identity.objectValue, members.count == 1,
      members[0].name.utf8.elementsEqual(member.utf8),
      case .string(let value) = members[0].value, Self.isPlain(value)
    {
      return value
    }
    let text = Array(identity.text.utf8)
    var canonical: [UInt8] = []
    CanonicalJSON.append(text.span, 0..<text.count, to: &canonical)
    let id = "k." + Base64.urlText(canonical)
    guard id.utf8.count <= Self.longest else {
      throw DocumentProblem(
        .lineTooLarge,
        "its identity is too long for the id of a document: \(id.utf8.count) bytes, at most \(Self.longest)")
    }
    return id
  }

  /// The identity of a document with this id.
  func identity(of id: String) -> JSONValue {
    if id.hasPrefix("k."), let bytes = Self.bytes(base64url: id.dropFirst(2)),
      let identity = try? JSONValue(parsing: bytes.span), identity.objectValue != nil,
      (try? self.id(of: identity)).map({ $0.utf8.elementsEqual(id.utf8) }) == true
    {
      return identity
    }
    return .object([JSONMember(member, .string(id))])
  }

  private static let longest = 1_500

  private static func isPlain(_ id: String) -> Bool {
    (1...128).contains(id.utf8.count) && !DocumentValues.isReserved(id)
      && id.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
        default: false
        }
      }
  }

  private static func bytes(base64url text: Substring) -> [UInt8]? {
    var digits = text.utf8.map { $0 == 0x2D ? UInt8(ascii: "+") : $0 == 0x5F ? UInt8(ascii: "/") : $0 }
    digits += Array(repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    var bytes: [UInt8] = []
    return (try? Base64.decode(digits.span, into: &bytes)) == nil ? nil : bytes
  }
}
