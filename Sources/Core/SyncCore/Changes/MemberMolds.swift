import JSONLines

/// Where the members with a meaning stand in lines of each form met before.
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
