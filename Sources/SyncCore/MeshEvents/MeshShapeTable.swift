import JSONLines

/// The shapes as arrays without references, which a walk reads without counting owners.
///
/// A field is its place among those of all shapes.
struct MeshShapeTable: Sendable {
  enum Kind: Sendable { case scalar, array, object, choice }

  private struct Row: Sendable {
    var kind: Kind
    /// Of an array.
    var element: MeshShape
    var fields: Range<Int>
    /// A bit for each field that may not be absent, the first one lowest.
    var needed: UInt8
  }

  /// A field, with the first eight bytes of its name, or all of them, and how many the name has.
  private struct Entry: Sendable {
    var word: UInt64
    var mask: UInt64
    var count: Int
    var shape: MeshShape
    var isOptional: Bool

    init(_ field: MeshShape.Field) {
      let bytes = Array(field.name.description.utf8)
      count = bytes.count
      mask = count < 8 ? ~(UInt64.max &>> UInt64(8 * count)) : .max
      word = (bytes + Array(repeating: 0, count: 8)).span.orderedWord(at: 0) & mask
      (shape, isOptional) = (field.shape, field.isOptional)
    }
  }

  private var rows: [Row] = []
  private var entries: [Entry] = []
  private var names: [StaticString] = []

  /// `forms` are those of all shapes, in their order.
  init(_ forms: [MeshShape.Form]) {
    for form in forms {
      switch form {
      case .scalar: add(.scalar, [])
      case .array(let element): add(.array, element: element, [])
      case .object(let fields): add(.object, fields)
      case .choice(let fields): add(.choice, fields)
      }
    }
  }

  private mutating func add(_ kind: Kind, element: MeshShape = .message, _ fields: [MeshShape.Field]) {
    var needed: UInt8 = 0
    for (index, field) in fields.enumerated() where !field.isOptional { needed |= 1 << UInt8(index) }
    let start = names.count
    names += fields.map(\.name)
    entries += fields.map { Entry($0) }
    rows.append(Row(kind: kind, element: element, fields: start..<names.count, needed: needed))
  }

  @inline(__always)
  func kind(_ shape: MeshShape) -> Kind { rows[shape.rawValue].kind }

  @inline(__always)
  func element(_ shape: MeshShape) -> MeshShape { rows[shape.rawValue].element }

  @inline(__always)
  func needed(_ shape: MeshShape) -> UInt8 { rows[shape.rawValue].needed }

  @inline(__always)
  func fields(_ shape: MeshShape) -> Range<Int> { rows[shape.rawValue].fields }

  @inline(__always)
  func shape(ofField place: Int) -> MeshShape { entries[place].shape }

  @inline(__always)
  func isOptional(_ place: Int) -> Bool { entries[place].isOptional }

  func name(_ place: Int) -> StaticString { names[place] }

  /// The field of that name, which is raw, among those of a shape.
  @inline(__always)
  func field(among fields: Range<Int>, named name: Range<Int>, in text: Span<UInt8>) -> Int? {
    guard text.count &- name.lowerBound >= 8 else { return search(fields, text, name) }
    let word = text.orderedWord(at: name.lowerBound)
    var place = fields.lowerBound
    while place < fields.upperBound {
      // A name with escapes has other bytes, and is looked for in the end.
      if entries[place].count == name.count, word & entries[place].mask == entries[place].word,
        name.count <= 8 || JSONString.isEqual(text, name, to: names[place])
      {
        return place
      }
      place &+= 1
    }
    return search(fields, text, name)
  }

  /// Names that stand near the end, have escapes or are not known.
  private func search(_ fields: Range<Int>, _ text: Span<UInt8>, _ name: Range<Int>) -> Int? {
    fields.first { JSONString.isEqual(text, name, to: names[$0]) }
  }
}
