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

  /// The first eight bytes of a field's name, or all of them, and how many the name has.
  private struct Beginning: Sendable {
    var word: UInt64
    var mask: UInt64
    var count: Int

    init(_ name: StaticString) {
      let bytes = Array(name.description.utf8)
      count = bytes.count
      mask = count < 8 ? ~(UInt64.max &>> UInt64(8 * count)) : .max
      word = (bytes + Array(repeating: 0, count: 8)).span.orderedWord(at: 0) & mask
    }

    /// Whether a name that is spelled without escapes may be this one; short names are told apart wholly.
    @inline(__always)
    func fits(_ text: Span<UInt8>, _ name: Range<Int>) -> Bool {
      name.count == count && text.orderedWord(at: name.lowerBound) & mask == word
    }
  }

  private var rows: [Row] = []
  private var allFields: [MeshShape.Field] = []
  private var beginnings: [Beginning] = []

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
    beginnings += fields.map { Beginning($0.name) }
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
    if text.count &- name.lowerBound >= 8 {
      var index = range.lowerBound
      while index < range.upperBound {
        if beginnings[index].fits(text, name), isLikely(index, text, name) {
          return (allFields[index], 1 &<< UInt8(index &- range.lowerBound))
        }
        index &+= 1
      }
    }
    return search(range, text, name)
  }

  /// The rest of a name whose beginning fits.
  @inline(__always)
  private func isLikely(_ index: Int, _ text: Span<UInt8>, _ name: Range<Int>) -> Bool {
    name.count <= 8 || JSONString.isEqual(text, name, to: allFields[index].name)
  }

  /// Names that stand near the end, have escapes or are not known.
  private func search(
    _ range: Range<Int>, _ text: Span<UInt8>, _ name: Range<Int>
  ) -> (MeshShape.Field, UInt8)? {
    for index in range where JSONString.isEqual(text, name, to: allFields[index].name) {
      return (allFields[index], 1 &<< UInt8(index &- range.lowerBound))
    }
    return nil
  }
}
