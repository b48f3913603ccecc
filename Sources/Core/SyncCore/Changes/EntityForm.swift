import JSONLines

/// The common facts of all lines that spell an entity in the same way, computed only once.
final class EntityForm: Sendable {
  /// The raw name, with its quotes; empty for lines without an entity.
  let spelling: [UInt8]
  /// The spelling as a short string; nil if it is too long.
  let shortSpelling: ShortString?
  /// How such lines are read; the shape supplies members that the profile does not define.
  let entity: Profile.Entity
  /// The pointers to the parts of a key, as indexes into the shape's pointers; `firstKey` is the first index.
  let keys: [Int]
  let firstKey: Int?
  /// The indexes of the pointers to clock and tombstone; nil for the default members.
  let clock: Int?
  let tombstone: Int?
  /// How the values of the identity are converted for comparison; nil if they are compared unchanged.
  let identity: IdentityForm?
  /// Whether live records must have certain members.
  let hasRequired: Bool
  /// Whether `identity` is not nil or `hasRequired` is true.
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
    let pointers = shape.pointers
    keys = entity.keys.compactMap { pointers.place(of: $0) }
    firstKey = keys.first
    (clock, tombstone) = (pointers.place(of: entity.clock), pointers.place(of: entity.tombstone))
    identity = entity.identity
    hasRequired = !entity.required.isEmpty
    hasExtras = identity != nil || hasRequired
    opening = Self.opening(decoded)
    partNames = Self.partNames(entity.keys.isEmpty ? [JSONPointer(name: "id")] : entity.keys)
  }

  /// Whether a line spells its entity in this way; `name` is the raw name, nil if missing.
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

/// The forms of entities in the lines read so far.
struct EntityForms: Sendable {
  /// The maximum number of forms, since a text may name any number of entities.
  static let limit = 64

  private let shape: RecordShape
  private(set) var current: EntityForm
  private var met: [EntityForm]
  /// The index of the current form, and how often the indexes have changed.
  private(set) var (place, changes) = (0, 0)

  init(_ shape: RecordShape) {
    self.shape = shape
    let nothing: [UInt8] = []
    current = EntityForm(nothing.span, nil, shape)
    met = [current]
  }

  /// Makes the form of a line's entity the current one; `name` is its raw name, nil if missing.
  mutating func enter(_ text: Span<UInt8>, _ name: Range<Int>?) {
    if !current.isSpelled(text, name) { change(text, name) }
  }

  private mutating func change(_ text: Span<UInt8>, _ name: Range<Int>?) {
    if let known = met.firstIndex(where: { $0.isSpelled(text, name) }) {
      (current, place) = (met[known], known)
      return
    }
    current = EntityForm(text, name, shape)
    if met.count == Self.limit {
      met.removeAll()
      changes += 1
    }
    place = met.count
    met.append(current)
  }
}

/// A set of beginnings of plain keys in the lines read so far; it may be incomplete.
package struct PlainForms: Sendable {
  /// `changes` counts how often the indexes or the text after the entity have changed; `place` is the index
  /// of the entity's form.
  package typealias Number = (changes: Int, place: Int)

  private var changes = -1
  private var places: UInt64 = 0

  func contains(_ number: Number) -> Bool {
    number.changes == changes && places &>> UInt64(number.place) & 1 == 1
  }

  mutating func insert(_ number: Number) {
    if number.changes != changes { (changes, places) = (number.changes, 0) }
    places |= 1 &<< UInt64(number.place)
  }
}
