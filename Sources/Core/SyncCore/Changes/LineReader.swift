import JSONLines

/// Reads lines as changes: kind, key and clock.
package struct LineReader: Sendable {
  let shape: RecordShape
  private(set) var members = LineMembers()
  var molds: ObjectMolds<LineMembers>
  /// The members of the object `fields`.
  var fields = LineMembers()
  /// The line without the white space around it.
  private(set) var object = 0..<0
  private var forms: EntityForms
  /// The index of the pointer to a record's entity.
  let entityPlace: Int?

  /// The only value in the identity of the last line read, if its raw bytes are those in the key.
  ///
  /// The key is then `["E",{"n":V}]`, with V a string without escapes or an integer in plain digits. Like the
  /// ranges of the result, this range consists of offsets into the text.
  package internal(set) var plainIdentity: Range<Int>?

  /// Whether the plain identity is a UUID with capitals; in the key its letters are lower-case.
  package internal(set) var hasCapitals = false

  /// How the identity of the last line read is converted; unused if its entity compares values unchanged.
  var rewriting: IdentityForm?

  /// The text before the only value in the identity of the last change line, if it is plain and short.
  private var opening: ShortString?
  private var openings = 0

  /// The same number for all lines with plain keys that begin with the same `["E",{"n":`.
  package var plainForm: PlainForms.Number { (forms.changes &+ openings, forms.place) }

  package init(_ shape: RecordShape) {
    let pointers = shape.pointers
    self.shape = shape
    molds = ObjectMolds(pointers)
    entityPlace = pointers.place(of: shape.profile.entity ?? shape.entity)
    forms = EntityForms(shape)
  }

  /// Validates one line, and appends its canonical key to `key` unless it is a checkpoint.
  ///
  /// Keys are ordered by their bytes.
  package mutating func read(_ line: Span<UInt8>, key: inout [UInt8]) throws(ChangeError) -> ChangeLine {
    try scan(line)
    return try readScanned(line, key: &key)
  }

  /// Reads the line from `start` to the next LF or the end of the text, in one pass.
  ///
  /// `end` becomes the offset of the LF or the length of the text, whether or not the line is valid. Ranges
  /// in the result are offsets into `text`; those in errors are offsets into the line.
  package mutating func read(
    _ text: Span<UInt8>, from start: Int, key: inout [UInt8], end: inout Int
  ) throws(ChangeError) -> ChangeLine {
    try scan(text, from: start, end: &end)
    return try readScanned(text, key: &key)
  }

  /// As above, but omits the key if its form is among `known` and the identity is plain.
  package mutating func read(
    _ text: Span<UInt8>, from start: Int, key: inout [UInt8], end: inout Int, without known: PlainForms
  ) throws(ChangeError) -> ChangeLine {
    try scan(text, from: start, end: &end)
    return try readScanned(text, key: &key, without: known)
  }

  /// The form of the entity of the last line.
  var form: EntityForm {
    @inline(__always) get { forms.current }
  }

  var entity: Profile.Entity {
    @inline(__always) get { form.entity }
  }

  // MARK: Scanning

  /// Validates a line and records the places of its members.
  mutating func scan(_ line: Span<UInt8>) throws(ChangeError) {
    members.clear()
    molds.mold = -1
    do throws(JSONError) {
      try JSONScanner.validate(line, into: &members)
    } catch {
      throw .json(error)
    }
    object = line.onlyValue
  }

  /// Validates the line that begins at `start`.
  private mutating func scan(_ text: Span<UInt8>, from start: Int, end: inout Int) throws(ChangeError) {
    members.clear()
    do throws(JSONError) {
      let first = Blanks.line.skip(text, from: start)
      if let end = molds.read(text, from: first, into: &members) {
        object = first..<end
      } else {
        object = first..<(try JSONScanner.scan(text, from: first, blanks: .line, into: &members))
        molds.learn(text, object, members)
      }
      end = Blanks.line.skip(text, from: object.upperBound)
      guard end < text.count, text[end] != 0x0A else { return }
      throw JSONError(.trailingBytes, at: end - start)
    } catch {
      end = ByteSearch.firstIndex(of: 0x0A, in: text, from: start) ?? text.count
      throw .json(Self.fault(text, start..<end) ?? error)
    }
  }

  /// The error of the line as a complete text, which can differ from its error inside a longer text.
  private static func fault(_ text: Span<UInt8>, _ line: Range<Int>) -> JSONError? {
    var end = line.upperBound
    while end > line.lowerBound, text[end - 1] == 0x0D { end -= 1 }
    do throws(JSONError) {
      try JSONScanner.validate(text.extracting(line.lowerBound..<end))
      return nil
    } catch {
      return error
    }
  }

  // MARK: Meaning
  //
  // Functions that do not change the reader are inlined: a call would copy the reader, which is large.

  private mutating func readScanned(
    _ line: Span<UInt8>, key bytes: inout [UInt8], without known: PlainForms = PlainForms()
  ) throws(ChangeError) -> ChangeLine {
    plainIdentity = nil
    hasCapitals = false
    let start = bytes.count
    // The change is filled in place, because it is so large that copies are measurable.
    var change = ChangeLine(kind: try kind(line))
    switch change.kind {
    case .checkpoint: break
    case .change:
      let key = try changeKey(line)
      if plainIdentity == nil || !known.contains(plainForm) { key.appendCanonical(line, to: &bytes) }
      try readChange(line, into: &change)
      try readFacts(line, members[.fields], into: &change)
    case .record:
      let key = try recordKey(line)
      if plainIdentity == nil || !known.contains(plainForm) { key.appendCanonical(line, to: &bytes) }
      try readRecord(line, into: &change)
      try readFacts(line, object, into: &change)
    }
    if form.hasExtras, change.kind != .checkpoint { try finish(line, change, &bytes, from: start) }
    return change
  }

  @inline(__always)
  mutating func kind(_ line: Span<UInt8>) throws(ChangeError) -> ChangeLine.Kind {
    guard line[object.lowerBound] == UInt8(ascii: "{") else { throw .notAnObject }
    if members.has(.identity) { return .change }
    if let delta = members[.delta], Self.isDelta(line, delta) { throw .wireDelta }
    guard let token = try members.single(.newTokenData), try !isOfRecord(line) else { return .record }
    for pointer in Self.deltaParts where try pointer.value(in: line, object) != nil { throw .wireDelta }
    guard line[token.lowerBound] == UInt8(ascii: "\"") else { throw .invalidToken }
    return .checkpoint
  }

  /// The members of a version 1 delta in addition to its token.
  ///
  /// If a delta were read as a checkpoint, these members would be lost. If it were read as a snapshot without
  /// records, all records would be deleted.
  private static let deltaParts = ["/upserts", "/deletes"].compactMap { JSONPointer($0) }

  /// Whether a member of a line is a complete delta, as in a message; otherwise the message's `id` would make
  /// it a record.
  private static func isDelta(_ line: Span<UInt8>, _ value: Range<Int>) -> Bool {
    for pointer in deltaParts + [JSONPointer(name: "newTokenData")] {
      guard case .found = pointer.find(in: line, value) else { return false }
    }
    return true
  }

  /// Reads the rest of the line as a line of this entity.
  mutating func enter(_ line: Span<UInt8>, _ name: Range<Int>?) { forms.enter(line, name) }

  /// The value of an identity `{"n":V}` with the same beginning as the previous one, if it is plain.
  @inline(__always)
  func plainValue(_ line: Span<UInt8>, _ identity: Range<Int>) -> Range<Int>? {
    guard let opening, opening.count > 0, identity.count > opening.count,
      opening.isEqual(line, identity.prefix(opening.count))
    else { return nil }
    return PlainObject.onlyValue(line, identity.dropFirst(opening.count))
  }

  /// Remembers the beginning of the identity: nil for an unknown form, empty for plain records.
  @inline(__always)
  mutating func setOpening(_ new: ShortString?) {
    if new == nil || new != opening { (opening, openings) = (new, openings &+ 1) }
  }

  /// The value in the line at the pointer with this index in the shape.
  @inline(__always)
  func value(_ place: Int, _ line: Span<UInt8>) throws(ChangeError) -> Range<Int>? {
    try molds.find(place, in: line, object).value
  }
}

extension JSONPointer {
  /// The value at the pointer in the object at `place`.
  func value(in line: Span<UInt8>, _ place: Range<Int>) throws(ChangeError) -> Range<Int>? {
    try find(in: line, place).value
  }
}

extension JSONPointer.Match {
  var value: Range<Int>? {
    @inline(__always) get throws(ChangeError) {
      if case .duplicate(let name) = self { throw .duplicateMember(name) }
      if case .found(let range) = self { return range }
      return nil
    }
  }
}
