import JSONLines

/// The shapes as arrays without references, so that a walk reads them without counting owners.
///
/// A field is represented by its index among the fields of all shapes.
struct MeshShapeTable: Sendable {
  enum Kind: Sendable { case string, scalar, array, object, choice }

  private struct Row: Sendable {
    var kind: Kind
    /// The shape of an array's elements.
    var element: MeshShape
    var fields: Range<Int>
    /// A bit for each required field; the lowest bit is for the first field.
    var needed: UInt8
  }

  /// A field, with the first and the last eight bytes of its spelling: its name, a quote and a colon.
  private struct Entry: Sendable {
    var first: UInt64
    var mask: UInt64
    var last: UInt64
    var count: Int
    var shape: MeshShape
    var isOptional: Bool
    /// The bit of the field within its object; two spellings of one field have the same bit.
    var bit: UInt8

    init(_ field: MeshShape.Field, _ bit: UInt8) {
      let bytes = Array(field.name.description.utf8) + Array("\":".utf8)
      let padding = [UInt8](repeating: 0, count: 8)
      count = bytes.count
      // Bytes between the first eight and the last eight would not be compared.
      precondition(count <= 16)
      mask = count < 8 ? ~(UInt64.max &>> UInt64(8 * count)) : .max
      first = (bytes + padding).span.orderedWord(at: 0)
      last = (padding + bytes).span.orderedWord(at: count)
      (shape, isOptional, self.bit) = (field.shape, field.isOptional, bit)
    }
  }

  private var rows: [Row] = []
  private var entries: [Entry] = []
  private var names: [StaticString] = []

  /// `forms` are the forms of all shapes, in order.
  init(_ forms: [MeshShape.Form]) {
    for form in forms {
      switch form {
      case .string: add(.string, [])
      case .scalar: add(.scalar, [])
      case .array(let element): add(.array, element: element, [])
      case .object(let fields): add(.object, fields)
      case .choice(let fields): add(.choice, fields)
      }
    }
  }

  private mutating func add(_ kind: Kind, element: MeshShape = .message, _ fields: [MeshShape.Field]) {
    var (needed, bit): (UInt8, UInt8) = (0, 1)
    let start = names.count
    for (index, field) in fields.enumerated() {
      if index > 0, !field.isOtherSpelling { bit <<= 1 }
      if !field.isOptional { needed |= bit }
      names.append(field.name)
      entries.append(Entry(field, bit))
    }
    rows.append(Row(kind: kind, element: element, fields: start..<names.count, needed: needed))
  }

  @inline(__always)
  func kind(_ shape: MeshShape) -> Kind { rows[shape.rawValue].kind }

  @inline(__always)
  func element(_ shape: MeshShape) -> MeshShape { rows[shape.rawValue].element }

  @inline(__always)
  func needed(_ shape: MeshShape) -> UInt8 { rows[shape.rawValue].needed }

  /// Whether the fields that have been seen, one bit each, form an object of that shape.
  @inline(__always)
  func isComplete(_ shape: MeshShape, _ seen: UInt8) -> Bool {
    // A choice needs exactly one bit.
    kind(shape) == .choice ? seen != 0 && seen & (seen &- 1) == 0 : needed(shape) & ~seen == 0
  }

  @inline(__always)
  func fields(_ shape: MeshShape) -> Range<Int> { rows[shape.rawValue].fields }

  @inline(__always)
  func shape(ofField place: Int) -> MeshShape { entries[place].shape }

  @inline(__always)
  func isOptional(_ place: Int) -> Bool { entries[place].isOptional }

  @inline(__always)
  func bit(_ place: Int) -> UInt8 { entries[place].bit }

  func name(_ place: Int) -> StaticString { names[place] }

  /// How many bytes a field's name has with its quote and a colon.
  @inline(__always)
  func spelledCount(_ place: Int) -> Int { entries[place].count }

  /// The field of a shape that is spelled at `start`: its name without escapes, a quote and a colon.
  @inline(__always)
  func field(among fields: Range<Int>, spelledAt start: Int, in text: Span<UInt8>) -> Int? {
    let left = text.count &- start
    guard left >= 8 else { return nil }
    let word = text.orderedWord(at: start)
    var place = fields.lowerBound
    while place < fields.upperBound {
      let count = entries[place].count
      if word & entries[place].mask == entries[place].first,
        count <= 8 || left >= count && text.orderedWord(at: start &+ count &- 8) == entries[place].last
      {
        return place
      }
      place &+= 1
    }
    return nil
  }

  /// The field of a shape with that raw name.
  func field(among fields: Range<Int>, named name: Range<Int>, in text: Span<UInt8>) -> Int? {
    fields.first { JSONString.isEqual(text, name, to: names[$0]) }
  }
}
