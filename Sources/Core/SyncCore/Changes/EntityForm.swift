import JSONLines

/// The facts common to all lines that spell an entity in the same way, computed once instead of for every line.
final class EntityForm: Sendable {
  /// The raw name, with its quotes; empty for lines that name no entity.
  let spelling: [UInt8]
  /// The same in short, where it is.
  let shortSpelling: ShortString?
  /// How such lines are read; members that the profile does not tell are as the shape says.
  let entity: Profile.Entity
  /// Whether clock and tombstone of a plain record are where they are without options.
  let hasOwnClock: Bool
  /// How the values of the identity are compared; nil for as they are.
  let identity: IdentityForm?
  /// Whether live records must have certain members.
  let hasRequired: Bool
  /// Whether there is either of these.
  let hasExtras: Bool
  /// The beginning of the canonical key: `["Task",`.
  let opening: [UInt8]
  /// The text before each value in the identity of a plain record: `{"id":` or `{"a":` and `,"b":`.
  let partNames: [[UInt8]]

  init(_ text: Span<UInt8>, _ name: Range<Int>?, _ shape: RecordShape) {
    var spelling: [UInt8] = []
    var decoded = Array(shape.entityName.utf8)
    if let name {
      spelling.append(text.extracting(name))
      decoded.removeAll()
      JSONString.appendDecoded(text, name.lowerBound + 1..<name.upperBound - 1, to: &decoded)
    }
    var entity = shape.profile[decoded]
    if entity.keys.isEmpty { entity.keys = shape.keys }
    entity.clock = entity.clock ?? shape.clock
    entity.tombstone = entity.tombstone ?? shape.tombstone
    self.spelling = spelling
    shortSpelling = ShortString(spelling.span, 0..<spelling.count)
    self.entity = entity
    hasOwnClock = entity.clock == nil && entity.tombstone == nil
    identity = entity.identity
    hasRequired = !entity.required.isEmpty
    hasExtras = identity != nil || hasRequired
    opening = Self.opening(decoded)
    partNames = Self.partNames(entity.keys.isEmpty ? [JSONPointer(name: "id")] : entity.keys)
  }

  /// Whether a line names the entity in this way.
  func isSpelled(_ text: Span<UInt8>, _ name: Range<Int>?) -> Bool {
    guard let name else { return spelling.isEmpty }
    if let shortSpelling { return shortSpelling.isEqual(text, name) }
    let spelling = spelling
    return ByteSearch.isEqual(text, name, spelling.span, 0..<spelling.count)
  }

  private static func opening(_ name: [UInt8]) -> [UInt8] {
    var bytes = [UInt8(ascii: "[")]
    JSONString.appendQuoted(utf8: name, to: &bytes)
    bytes.append(UInt8(ascii: ","))
    return bytes
  }

  private static func partNames(_ pointers: [JSONPointer]) -> [[UInt8]] {
    pointers.enumerated().map { index, pointer in
      var bytes = [UInt8(ascii: index == 0 ? "{" : ",")]
      JSONString.appendQuoted(pointer.tokens.last ?? "", to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      return bytes
    }
  }
}

/// The forms that a reader has met.
struct EntityForms: Sendable {
  /// So many are kept, since a text may name ever more entities.
  private static let limit = 64

  private let shape: RecordShape
  private(set) var current: EntityForm
  private var met: [EntityForm]
  /// How often the current one has changed.
  private(set) var changes = 0

  init(_ shape: RecordShape) {
    self.shape = shape
    let nothing: [UInt8] = []
    current = EntityForm(nothing.span, nil, shape)
    met = [current]
  }

  /// Makes the form of a line's entity the current one; `name` is its raw name, nil if there is none.
  mutating func enter(_ text: Span<UInt8>, _ name: Range<Int>?) {
    if !current.isSpelled(text, name) { change(text, name) }
  }

  private mutating func change(_ text: Span<UInt8>, _ name: Range<Int>?) {
    changes += 1
    for index in met.indices where met[index].isSpelled(text, name) {
      current = met[index]
      return
    }
    current = EntityForm(text, name, shape)
    if met.count == Self.limit { met.removeAll() }
    met.append(current)
  }
}
