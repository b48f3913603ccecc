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

  /// Makes the form of a line's entity the current one; `name` is its raw name, nil where there is none.
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
