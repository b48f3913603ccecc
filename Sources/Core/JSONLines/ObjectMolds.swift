/// The known members of an object.
@usableFromInline
package protocol MoldedMembers: Sendable {
  associatedtype Name: CaseIterable, Sendable

  /// The raw value; nil if the member is absent.
  subscript(_ name: Name) -> Range<Int>? { get }
  var hasRepeated: Bool { get }

  /// Sets the value of a member that appears once.
  mutating func set(_ name: Name, _ value: Range<Int>)
}

/// The places of the known members and of pointer targets in objects of each earlier form.
@usableFromInline
package struct ObjectMolds<Members: MoldedMembers>: Sendable {
  /// If too few objects fitted a mold, molds are not used for this many objects.
  private static var pauseLength: Int { 1_024 }
  @usableFromInline static var fullCredit: Int { 32 }

  @usableFromInline var molds = LineMolds()
  @usableFromInline var marks = LineMolds.noMarks
  /// The members of each mold, one mold after the other, and the end of each.
  @usableFromInline var places: [(name: Members.Name, value: MoldRange)] = []
  @usableFromInline var ends: [Int] = []
  @usableFromInline var pointers: MoldPointers
  /// The number of marks of each mold, and its order once two of its objects were compared.
  private var orders: [(marks: Int, order: MoldOrder?)] = []
  /// How often all molds have been forgotten.
  private var age = 0
  @usableFromInline var credit = Self.fullCredit
  @usableFromInline var pause = 0
  /// The mold of the last object read; -1 if it did not fit one.
  @usableFromInline package var mold = -1

  package init(_ pointers: [JSONPointer]) { self.pointers = MoldPointers(pointers) }

  /// Reads the object at `start` if it fits a mold; returns the offset just after it.
  @inlinable @inline(__always)
  package mutating func read(_ text: Span<UInt8>, from start: Int, into members: inout Members) -> Int? {
    mold = -1
    guard pause == 0, let fit = molds.fit(text, from: start, marks: &marks) else { return nil }
    credit = min(credit &+ 1, Self.fullCredit)
    mold = fit.mold
    for index in (mold == 0 ? 0 : ends[mold &- 1])..<ends[mold] {
      members.set(places[index].name, places[index].value.range(marks))
    }
    return fit.end
  }

  /// Learns the form of a validated object that did not fit a mold.
  package mutating func learn(_ text: Span<UInt8>, _ object: Range<Int>, _ members: Members) {
    guard pause == 0 else { return pause -= 1 }
    credit -= 2
    guard credit > 0 else { return rest() }
    var marks: [Int] = []
    // An object with duplicate members is refused in most cases.
    guard !members.hasRepeated, let mold = molds.learn(text, object, marks: &marks), mold == ends.count else {
      return
    }
    for name in Members.Name.allCases {
      if let value = members[name] { places.append((name, MoldRange(value, marks))) }
    }
    ends.append(places.count)
    orders.append((marks.count, nil))
    pointers.learn(text, object, marks)
  }

  /// Forgets all molds and learns again after a pause.
  private mutating func rest() {
    let age = age &+ 1
    self = ObjectMolds(pointers.pointers)
    (self.age, pause) = (age, Self.pauseLength)
  }

  /// The target of the pointer at this index in the last object read, which is at `object`.
  @inlinable @inline(__always)
  package func find(_ place: Int, in text: Span<UInt8>, _ object: Range<Int>) -> JSONPointer.Match {
    if mold >= 0, let match = pointers.find(place, mold: mold, marks) { return match }
    return pointer(place).find(in: text, object)
  }

  @usableFromInline
  package func pointer(_ place: Int) -> JSONPointer { pointers.pointers[place] }
}

extension ObjectMolds {
  /// The mold of an object and its marks.
  package struct Cast: Sendable {
    fileprivate let mold: Int
    fileprivate let age: Int
    fileprivate let marks: [Int]
  }

  /// The cast of the last object read; nil if it did not fit a mold.
  package var cast: Cast? { mold < 0 ? nil : Cast(mold: mold, age: age, marks: marks) }

  /// Compares the canonical forms of the last object read, at `object`, and of another one as bytes.
  ///
  /// Nil unless both are known to have the same mold.
  package mutating func compare(
    _ text: Span<UInt8>, _ object: Range<Int>, _ other: Span<UInt8>, _ cast: Cast?
  ) -> Int? {
    guard let cast, mold >= 0, cast.mold == mold, cast.age == age else { return nil }
    let order = orders[mold].order ?? MoldOrder(text, object, Array(marks.prefix(orders[mold].marks)))
    orders[mold].order = order
    return order.compare(text, marks, other, cast.marks)
  }
}
