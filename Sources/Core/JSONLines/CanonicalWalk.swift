/// Compares the canonical forms of two validated values side by side, without writing them.
///
/// It can decide only while members are in the same order in both. Of the differing members, the one with the
/// smallest name decides, because it appears first in the canonical form.
struct CanonicalWalk {
  private var aPosition: Int
  private var bPosition: Int

  /// Starts at two values.
  init(_ a: Int, _ b: Int) { (aPosition, bPosition) = (a, b) }

  /// Compares the canonical forms byte by byte and moves past the values; nil if the walk cannot decide.
  mutating func compare(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int? {
    switch (JSONKind(firstByte: a[aPosition]), JSONKind(firstByte: b[bPosition])) {
    case (.object, .object): return compareMembers(a, b)
    case (.array, .array): return compareElements(a, b)
    default:
      let (aRaw, bRaw) = passValues(a, b)
      return Self.compareScalars(a, aRaw, b, bRaw)
    }
  }

  /// Compares two values that are not both objects or both arrays; nil if the text after them decides and
  /// `follower` is nil.
  static func compareScalars(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>, follower: UInt8? = nil
  ) -> Int? {
    let (aKind, bKind) = (JSONKind(firstByte: a[aRaw.lowerBound]), JSONKind(firstByte: b[bRaw.lowerBound]))
    if aKind == .string, bKind == .string { return JSONString.compareCanonical(a, aRaw, b, bRaw) }
    if aKind == .number, bKind == .number { return compareNumbers(a, aRaw, b, bRaw, follower) }
    return Int(a[aRaw.lowerBound]) - Int(b[bRaw.lowerBound])
  }

  private mutating func compareMembers(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int? {
    var (aMembers, bMembers) = (ContainerCursor(opening: aPosition), ContainerCursor(opening: bPosition))
    var decisive: (name: Range<Int>, order: Int)?
    while true {
      let (aHasNext, bHasNext) = (aMembers.hasNext(in: a), bMembers.hasNext(in: b))
      guard aHasNext == bHasNext else { return nil }
      guard aHasNext else { break }
      let (name, bName) = (aMembers.readName(in: a), bMembers.readName(in: b))
      guard JSONString.isEqual(a, name, b, bName) else { return nil }
      (aPosition, bPosition) = (aMembers.position, bMembers.position)
      if let decisive, JSONString.compare(a, decisive.name, a, name) <= 0 {
        _ = passValues(a, b)
      } else {
        guard let order = compare(a, b) else { return nil }
        if order != 0 { decisive = (name, order) }
      }
      (aMembers.position, bMembers.position) = (aPosition, bPosition)
    }
    (aPosition, bPosition) = (aMembers.position, bMembers.position)
    return decisive?.order ?? 0
  }

  private mutating func compareElements(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int? {
    var (aElements, bElements) = (ContainerCursor(opening: aPosition), ContainerCursor(opening: bPosition))
    var order = 0
    while order == 0 {
      let (aHasNext, bHasNext) = (aElements.hasNext(in: a), bElements.hasNext(in: b))
      guard aHasNext == bHasNext else { return nil }
      (aPosition, bPosition) = (aElements.position, bElements.position)
      guard aHasNext else { return 0 }
      guard let next = compare(a, b) else { return nil }
      order = next
      (aElements.position, bElements.position) = (aPosition, bPosition)
    }
    (aPosition, bPosition) = (aElements.passRest(in: a), bElements.passRest(in: b))
    return order
  }

  private mutating func passValues(_ a: Span<UInt8>, _ b: Span<UInt8>) -> (Range<Int>, Range<Int>) {
    let (aStart, bStart) = (aPosition, bPosition)
    aPosition = ValidatedText.endOfValue(a, from: aStart)
    bPosition = ValidatedText.endOfValue(b, from: bStart)
    return (aStart..<aPosition, bStart..<bPosition)
  }

  /// Compares the forms of two numbers; nil if one is a prefix of the other, so the text after it decides.
  private static func compareNumbers(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>, _ follower: UInt8?
  ) -> Int? {
    if ByteSearch.isEqual(a, aRaw, b, bRaw) { return 0 }
    let (aForm, bForm) = (canonicalNumber(a, aRaw), canonicalNumber(b, bRaw))
    let common = ByteSearch.commonPrefix(aForm.span, aForm.indices, bForm.span, bForm.indices)
    if common == aForm.count, common == bForm.count { return 0 }
    guard let aByte = common < aForm.count ? aForm[common] : follower,
      let bByte = common < bForm.count ? bForm[common] : follower
    else { return nil }
    return Int(aByte) - Int(bByte)
  }

  private static func canonicalNumber(_ text: Span<UInt8>, _ raw: Range<Int>) -> [UInt8] {
    var form: [UInt8] = []
    CanonicalJSON.append(text, raw, to: &form)
    return form
  }
}
