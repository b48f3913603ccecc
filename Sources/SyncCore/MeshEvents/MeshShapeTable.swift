import JSONLines

/// The shapes as arrays without references, which a walk reads without counting owners.
struct MeshShapeTable: Sendable {
  enum Kind: Sendable { case scalar, array, object, choice }

  private struct Row: Sendable {
    var kind: Kind
    /// Of an array.
    var element: MeshShape
    /// Where the fields stand.
    var fields: Range<Int>
    /// A bit for each field that may not be absent, the first one lowest.
    var needed: UInt8
  }

  private var rows: [Row] = []
  private var allFields: [MeshShape.Field] = []

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
    let start = allFields.count
    allFields += fields
    rows.append(Row(kind: kind, element: element, fields: start..<allFields.count, needed: needed))
  }

  @inline(__always)
  func kind(_ shape: MeshShape) -> Kind { rows[shape.rawValue].kind }

  @inline(__always)
  func element(_ shape: MeshShape) -> MeshShape { rows[shape.rawValue].element }

  @inline(__always)
  func needed(_ shape: MeshShape) -> UInt8 { rows[shape.rawValue].needed }

  func fields(_ shape: MeshShape) -> [MeshShape.Field] { Array(allFields[rows[shape.rawValue].fields]) }

  /// The field of that name, which is raw, and its bit.
  @inline(__always)
  func field(of shape: MeshShape, named name: Range<Int>, in text: Span<UInt8>) -> (MeshShape.Field, UInt8)? {
    let range = rows[shape.rawValue].fields
    var index = range.lowerBound
    while index < range.upperBound {
      if JSONString.isEqual(text, name, to: allFields[index].name) {
        return (allFields[index], 1 &<< UInt8(index &- range.lowerBound))
      }
      index &+= 1
    }
    return nil
  }
}
