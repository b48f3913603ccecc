import JSONLines
package import SyncCore

/// Finds the frames in every direction of every stream separately.
///
/// After a gap, reading continues at the end of the interrupted frame, or otherwise at the next plausible
/// frame. Each direction stores its next offset and its incomplete frame.
package struct StreamFrames: Sendable {
  /// Bytes that are not a frame, with their direction.
  package struct Failure: Sendable {
    package var direction: StreamLine.Direction
    /// The failure; nil for more bytes of a failure that was already reported.
    package var failure: FrameFailure?
    package var rejected: [UInt8]
    /// Whether the frame was dropped to limit the memory of all streams.
    package var isForgotten = false
  }

  /// A direction: between two frames, inside one, or inside bytes that are not a frame.
  private struct Course {
    var reader: FrameReader
    var bytes: [UInt8] = []
    /// The offset of the first byte of `bytes`.
    var offset: Int
    /// The rest of a frame that was interrupted by a gap.
    var toSkip = 0
    /// The time of the latest line.
    var time: [UInt8]
    /// The number of bytes that the reader needs to continue.
    var wanted = 1
    var isLost = false
    /// When the direction was last used, counted in lines.
    var use = 0

    /// The offset of the next byte in the direction.
    var next: Int { offset + bytes.count }

    init(_ line: StreamLine, _ reader: FrameReader) {
      (self.reader, offset, time) = (reader, line.offset, line.time)
    }
  }

  private let decoder: FrameDecoder
  private let options: FrameReader.Options
  private var courses: [StreamLine.Direction: Course] = [:]
  private var lines: [UInt8] = []
  /// The memory limit of all directions, in bytes.
  private let memory: Int
  /// The approximate memory of all directions now, in bytes.
  private var size = 0
  private var uses = 0

  /// `memory` is the limit for incomplete frames of all streams together, in bytes.
  package init(_ decoder: FrameDecoder, _ options: FrameReader.Options, memory: Int = 256 << 20) {
    (self.decoder, self.memory) = (decoder, memory)
    var options = options
    options.resynchronizes = true
    self.options = options
  }

  /// Takes long output before a call has ended, and empties it.
  package typealias Drain = (inout [UInt8]) throws -> Void

  /// Reads the next line and appends the complete messages; returns the bytes that are not a frame.
  ///
  /// A hole in the offsets is a gap. If the line repeats bytes, this throws a `MemberError` and does not use
  /// the line. The messages of one line can be much longer than the line, so `drain` gets them in pieces.
  package mutating func add(
    _ line: StreamLine, into output: inout [UInt8], draining drain: Drain = { _ in }
  ) throws -> [Failure] {
    try refuseRepetition(line)
    var failures: [Failure] = []
    var course = take(line.direction) ?? Course(line, FrameReader(decoder, options))
    if line.offset < course.next {
      // Another capture follows, and its streams have the same names.
      failures += try end(course, line.direction, into: &output, drain)
      course = Course(line, FrameReader(decoder, options))
    } else if line.offset > course.next {
      failures += try pass(line.offset - course.next, &course, line.direction, into: &output, drain)
    }
    course.time = line.time
    switch line.content {
    case .gap(let count): failures += try pass(count, &course, line.direction, into: &output, drain)
    case .data(let bytes):
      let skipped = min(course.toSkip, bytes.count)
      course.toSkip -= skipped
      if course.bytes.isEmpty { course.offset += skipped }
      course.bytes += bytes[skipped...]
      failures += try read(&course, line.direction, isFinal: false, into: &output, drain)
    }
    keep(course, line.direction)
    return try failures + makeRoom(into: &output, drain)
  }

  /// Throws if the line repeats bytes, unless its offset is 0, where another capture begins.
  private func refuseRepetition(_ line: StreamLine) throws(MemberError) {
    guard line.offset > 0, let next = courses[line.direction]?.next, line.offset < next else { return }
    throw MemberError(
      .wrong("below \(next), where its direction continues", .overlappingBytes), at: ["offset"])
  }

  // MARK: Memory

  /// The approximate memory of a direction, in bytes.
  private static func size(of course: Course, _ direction: StreamLine.Direction) -> Int {
    course.bytes.count + course.time.count + direction.from.count + direction.to.count + 512
  }

  private mutating func take(_ direction: StreamLine.Direction) -> Course? {
    guard let course = courses.removeValue(forKey: direction) else { return nil }
    size -= Self.size(of: course, direction)
    return course
  }

  private mutating func keep(_ course: Course, _ direction: StreamLine.Direction) {
    var course = course
    uses += 1
    course.use = uses
    size += Self.size(of: course, direction)
    courses[direction] = course
  }

  /// Gives up the frames of the least recently used directions, until half of the memory is free.
  ///
  /// A direction without a frame is forgotten, and may continue at any offset.
  private mutating func makeRoom(into output: inout [UInt8], _ drain: Drain) throws -> [Failure] {
    guard size > memory else { return [] }
    var failures: [Failure] = []
    let byUse = courses.map { ($0.key, $0.value.use) }.sorted { $0.1 < $1.1 }
    for (direction, _) in byUse where size > memory / 2 {
      guard var course = take(direction), !course.bytes.isEmpty else { continue }
      let next = course.next
      failures += try end(course, direction, into: &output, drain).map { failure in
        var failure = failure
        failure.isForgotten = true
        return failure
      }
      // The next bytes of the direction begin inside that frame.
      (course.bytes, course.offset, course.wanted, course.isLost) = ([], next, 1, true)
      course.reader = FrameReader(decoder, options, isLost: true)
      keep(course, direction)
    }
    return failures
  }

  // MARK: Pieces

  /// Ends all directions.
  package mutating func finish(
    into output: inout [UInt8], draining drain: Drain = { _ in }
  ) throws -> [Failure] {
    let left = courses.sorted { a, b in
      (a.key.stream, a.value.offset) < (b.key.stream, b.value.offset)
    }
    courses = [:]
    return try left.flatMap { try end($0.value, $0.key, into: &output, drain) }
  }

  private mutating func end(
    _ course: Course, _ direction: StreamLine.Direction, into output: inout [UInt8], _ drain: Drain
  ) throws -> [Failure] {
    var course = course
    return try read(&course, direction, isFinal: true, into: &output, drain)
  }

  /// Skips a gap, which interrupts an incomplete frame.
  private mutating func pass(
    _ count: Int, _ course: inout Course, _ direction: StreamLine.Direction, into output: inout [UInt8],
    _ drain: Drain
  ) throws -> [Failure] {
    let start = course.next
    let gap = Failure(
      direction: direction, failure: .gap(at: start, length: count), rejected: [])
    let end = start + count
    if course.toSkip >= count, course.bytes.isEmpty, !course.isLost {
      course.toSkip -= count
      course.offset = end
      annotate(gap, course, into: &output)
      return [gap]
    }
    var rest: Int?
    if !course.isLost,
      case .truncatedPayload(let need, let have) = decoder.truncation(in: course.bytes.span, from: 0)
    {
      rest = Int(clamping: need) - have - count
    }
    let failures = try read(&course, direction, isFinal: true, into: &output, drain) + [gap]
    annotate(gap, course, into: &output)
    course.bytes = []
    (course.offset, course.wanted) = (end, 1)
    (course.toSkip, course.isLost) = (max(0, rest ?? 0), (rest ?? -1) < 0)
    course.reader = FrameReader(decoder, options, isLost: course.isLost)
    return failures
  }

  private mutating func read(
    _ course: inout Course, _ direction: StreamLine.Direction, isFinal: Bool, into output: inout [UInt8],
    _ drain: Drain
  ) throws -> [Failure] {
    guard isFinal || course.bytes.count >= course.wanted else { return [] }
    var failures: [Failure] = []
    let bytes = course.bytes
    // Otherwise appending to the rest would copy it.
    course.bytes = []
    var (position, isAgain) = (0, true)
    while isAgain {
      let rest = bytes.span.extracting(position...)
      lines.removeAll(keepingCapacity: lines.count < 1 << 20)
      let step = course.reader.process(rest, at: course.offset + position, isFinal: isFinal, into: &lines)
      write(course, direction, into: &output)
      if output.count > FrameStep.mostOutput { try drain(&output) }
      if step.failure != nil || !step.rejected.isEmpty {
        var rejected: [UInt8] = []
        rejected.append(rest.extracting(step.rejected))
        failures.append(Failure(direction: direction, failure: step.failure, rejected: rejected))
      }
      position += step.consumed
      course.wanted = step.failure == nil ? step.wanted : 1
      let left = bytes.count - position
      isAgain = isFinal ? left > 0 || step.failure != nil : left >= course.wanted
    }
    course.bytes = Array(bytes[position...])
    course.offset += position
    course.isLost = course.reader.isLost
    return failures
  }

  private mutating func annotate(_ gap: Failure, _ course: Course, into output: inout [UInt8]) {
    guard options.annotates, let failure = gap.failure else { return }
    lines = []
    FrameEnvelope.append(failure, to: &lines)
    write(course, gap.direction, into: &output)
  }

  /// Appends the lines of the reader, with the direction and the time in front if they are envelopes.
  private func write(_ course: Course, _ direction: StreamLine.Direction, into output: inout [UInt8]) {
    guard options.annotates else { return output += lines }
    let origin = CaptureOrigin(from: direction.from, to: direction.to, time: course.time)
    for line in lines.split(separator: 10) {
      origin.append(line, of: .stream, direction.stream, to: &output)
    }
  }
}
