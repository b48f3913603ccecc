import JSONLines

/// The names that have a meaning in a change line or a plain record.
package enum MemberName: Int, CaseIterable, LineMemberName {
  case identity, entityName, entity, id, deletedAt, modifiedAt, modified_at, updatedAt, updated_at, timestamp,
    version, fields, newTokenData

  /// The members that may hold the clock of a line other than a tombstone: the first that is present and not null counts.
  package static let liveClocks: [MemberName] = [
    .modifiedAt, .modified_at, .updatedAt, .updated_at, .timestamp,
  ]
  package static let clocks: [MemberName] = [.deletedAt] + liveClocks

  /// The member that the raw name decodes to.
  init?(_ text: Span<UInt8>, _ raw: Range<Int>) {
    guard let name = Self.plain(text, raw) ?? Self.escaped(text, raw) else { return nil }
    self = name
  }

  /// The member that a name with escapes decodes to.
  ///
  /// It is compared where it is: a decoded copy may contain a backslash, which must not be decoded again.
  private static func escaped(_ text: Span<UInt8>, _ raw: Range<Int>) -> MemberName? {
    // Most members of a line have no meaning, and none of those has an escape.
    guard ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: text, raw) != nil else { return nil }
    return allCases.first { JSONString.isEqual(text, raw, to: $0.spelling) }
  }

  /// The member of this name, told by its length first; no name has a backslash in it.
  private static func plain(_ text: Span<UInt8>, _ raw: Range<Int>) -> MemberName? {
    func among(_ name: MemberName) -> MemberName? {
      JSONString.isEqual(text, raw, to: name.spelling) ? name : nil
    }
    return switch raw.count {
    case 2: among(.id)
    case 6: among(.fields) ?? among(.entity)
    case 7: among(.version)
    case 8: among(.identity)
    case 9: among(.updatedAt) ?? among(.deletedAt) ?? among(.timestamp)
    case 10: among(.modifiedAt) ?? among(.entityName) ?? among(.updated_at)
    case 11: among(.modified_at)
    case 12: among(.newTokenData)
    default: nil
    }
  }

  package var spelling: StaticString {
    switch self {
    case .identity: "identity"
    case .entityName: "entityName"
    case .entity: "entity"
    case .id: "id"
    case .deletedAt: "deletedAt"
    case .modifiedAt: "modifiedAt"
    case .modified_at: "modified_at"
    case .updatedAt: "updatedAt"
    case .updated_at: "updated_at"
    case .timestamp: "timestamp"
    case .version: "version"
    case .fields: "fields"
    case .newTokenData: "newTokenData"
    }
  }
}

/// The places of the known members in lines of each form met before.
struct MemberMolds: Sendable {
  /// One member: each end of its value is so far after one of the marks.
  private struct Place: Sendable {
    var name: MemberName
    var start: (mark: Int32, distance: Int32)
    var end: (mark: Int32, distance: Int32)
  }

  /// For so many lines molds are done without, where too few lines fit any.
  private static let pauseLength = 1_024
  private static let fullCredit = 32

  private var molds = LineMolds()
  private var marks = LineMolds.noMarks
  /// The members of each mold one after the other, and where those of each end.
  private var places: [Place] = []
  private var ends: [Int] = []
  private var credit = Self.fullCredit
  private var pause = 0

  /// Reads the object at `start` if it fits a mold; returns the offset just after it.
  @inline(__always)
  mutating func read(_ text: Span<UInt8>, from start: Int, into members: inout LineMembers) -> Int? {
    guard pause == 0, let fit = molds.fit(text, from: start, marks: &marks) else { return nil }
    credit = min(credit &+ 1, Self.fullCredit)
    for index in (fit.mold == 0 ? 0 : ends[fit.mold &- 1])..<ends[fit.mold] {
      let (start, end) = (places[index].start, places[index].end)
      members.set(
        places[index].name,
        marks[Int(start.mark)] &+ Int(start.distance)..<marks[Int(end.mark)] &+ Int(end.distance))
    }
    return fit.end
  }

  /// Takes in the form of a validated object that fitted no mold.
  mutating func learn(_ text: Span<UInt8>, _ object: Range<Int>, _ members: LineMembers) {
    guard pause == 0 else { return pause -= 1 }
    credit -= 2
    guard credit > 0 else { return rest() }
    var marks: [Int] = []
    // A line in which members are repeated is refused, or nearly so.
    guard !members.hasRepeated, let mold = molds.learn(text, object, marks: &marks), mold == ends.count else {
      return
    }
    for name in MemberName.allCases {
      guard let value = members[name] else { continue }
      let (start, end) = (
        Self.last(of: marks, before: value.lowerBound), Self.last(of: marks, before: value.upperBound)
      )
      places.append(Place(name: name, start: start, end: end))
    }
    ends.append(places.count)
  }

  /// Forgets all molds and begins anew after a while, perhaps with others.
  private mutating func rest() {
    self = MemberMolds()
    pause = Self.pauseLength
  }

  /// The last of the marks at or before an offset, and how far before.
  private static func last(of marks: [Int], before offset: Int) -> (mark: Int32, distance: Int32) {
    let mark = (marks.firstIndex { $0 > offset } ?? marks.count) - 1
    return (Int32(mark), Int32(offset - marks[mark]))
  }
}
