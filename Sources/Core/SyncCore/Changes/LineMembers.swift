import JSONLines

/// The places of the known members in one object; reused from line to line.
struct LineMembers: MemberSink, MoldedMembers {
  private var places = MemberPlaces()
  private var seen: UInt16 = 0
  private var repeated: UInt16 = 0
  private var layout = LineLayout<MemberName>()

  mutating func clear() {
    seen = 0
    repeated = 0
    layout.begin()
  }

  // This is not inlined: the variables of the scanner's loop would no longer fit into registers.
  @inline(never)
  mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
    guard let known = layout.next(text, name) else { return }
    if has(known) {
      repeated |= known.bit
    } else {
      seen |= known.bit
      places[known] = value
    }
  }

  /// Sets the value of a member that appears once.
  @inline(__always)
  mutating func set(_ name: MemberName, _ value: Range<Int>) {
    seen |= name.bit
    places[name] = value
  }

  var hasRepeated: Bool { repeated != 0 }

  func has(_ name: MemberName) -> Bool { seen & name.bit != 0 }

  /// The raw value; nil if the member is absent.
  subscript(_ name: MemberName) -> Range<Int>? {
    @inline(__always) get { has(name) ? places[name] : nil }
  }

  /// The raw value of a member that must not appear twice.
  @inline(__always)
  func single(_ name: MemberName) throws(ChangeError) -> Range<Int>? {
    try requireSingle([name])
    return self[name]
  }

  /// Rejects a duplicate of a member that is read: two readers might use different ones.
  @inline(__always)
  func requireSingle(_ names: @autoclosure () -> [MemberName]) throws(ChangeError) {
    // The names are listed only for a line with a duplicate member.
    guard repeated != 0, let name = names().first(where: { repeated & $0.bit != 0 }) else { return }
    throw .duplicateMember(name.spelling.description)
  }
}

extension MemberName {
  fileprivate var bit: UInt16 { 1 &<< UInt16(rawValue) }
}

/// A range for each name; ranges of absent names are left over from another line.
///
/// It is not an array, because each write to an array would check for other owners.
private struct MemberPlaces {
  private var identity = 0..<0
  private var entityName = 0..<0
  private var entity = 0..<0
  private var id = 0..<0
  private var deletedAt = 0..<0
  private var modifiedAt = 0..<0
  private var modified_at = 0..<0
  private var updatedAt = 0..<0
  private var updated_at = 0..<0
  private var timestamp = 0..<0
  private var version = 0..<0
  private var fields = 0..<0
  private var newTokenData = 0..<0
  private var delta = 0..<0

  subscript(_ name: MemberName) -> Range<Int> {
    @inline(__always) get {
      switch name {
      case .identity: identity
      case .entityName: entityName
      case .entity: entity
      case .id: id
      case .deletedAt: deletedAt
      case .modifiedAt: modifiedAt
      case .modified_at: modified_at
      case .updatedAt: updatedAt
      case .updated_at: updated_at
      case .timestamp: timestamp
      case .version: version
      case .fields: fields
      case .newTokenData: newTokenData
      case .delta: delta
      }
    }
    set {
      switch name {
      case .identity: identity = newValue
      case .entityName: entityName = newValue
      case .entity: entity = newValue
      case .id: id = newValue
      case .deletedAt: deletedAt = newValue
      case .modifiedAt: modifiedAt = newValue
      case .modified_at: modified_at = newValue
      case .updatedAt: updatedAt = newValue
      case .updated_at: updated_at = newValue
      case .timestamp: timestamp = newValue
      case .version: version = newValue
      case .fields: fields = newValue
      case .newTokenData: newTokenData = newValue
      case .delta: delta = newValue
      }
    }
  }
}

extension LineMembers {
  /// Finds the clock among the members; false if missing.
  ///
  /// If `deletedAt` marks a deletion, it is the clock, and the line is a tombstone. Otherwise the clock is
  /// the first live clock.
  @inline(__always)
  func readClock(_ text: Span<UInt8>, into change: inout ChangeLine) throws(ChangeError) -> Bool {
    if let mark = self[.deletedAt], text.marksDeletion(mark), let clock = try clock(.deletedAt, text) {
      change.isTombstone = true
      change.clock = clock
    } else {
      change.clock = try liveClock(text)
    }
    return change.clock != nil
  }

  /// The first clock of a line that is not a tombstone.
  @inline(__always)
  func liveClock(_ text: Span<UInt8>) throws(ChangeError) -> Instant? {
    if let clock = try clock(.modifiedAt, text) { return clock }
    if let clock = try clock(.modified_at, text) { return clock }
    if let clock = try clock(.updatedAt, text) { return clock }
    if let clock = try clock(.updated_at, text) { return clock }
    return try clock(.timestamp, text)
  }

  /// The clock in this member; nil if it is absent or null.
  @inline(__always)
  private func clock(_ name: MemberName, _ text: Span<UInt8>) throws(ChangeError) -> Instant? {
    guard let range = self[name], !text.isNull(range) else { return nil }
    return try Clock.require(text, range, name.spelling.description)
  }
}
