/// A time zone: how far its clocks are ahead of UTC at any time.
///
/// The rules do not contain time zones; the caller supplies the conversion.
public struct Zone: Sendable {
  private let offset: (@Sendable (Int64) -> Int)?

  /// `offset` returns the seconds east of UTC at a time, which is given in seconds since 1970.
  public init(offset: @escaping @Sendable (Int64) -> Int) { self.offset = offset }

  private init() { offset = nil }

  /// The zone in which the offset is always zero.
  public static let utc = Zone()

  /// The local date as a day number, and the second of the day.
  package func local(_ instant: Instant) -> (day: Int, second: Int) {
    let seconds = Int(instant.seconds) + (offset?(instant.seconds) ?? 0)
    let day = Civil.floorDivide(seconds, 86_400)
    return (day, seconds - day * 86_400)
  }

  package func day(of instant: Instant) -> Int { local(instant).day }

  /// The instant of this local date and time, in seconds since 1970.
  ///
  /// If two such instants exist, it is the first. If clocks skip this time, it is moved by the length of the
  /// jump.
  @inline(__always)
  package func seconds(day: Int, second: Int) -> Int {
    let local = day &* 86_400 &+ second
    return offset == nil ? local : converted(local)
  }

  private func converted(_ local: Int) -> Int {
    guard let offset else { return local }
    // An offset is less than a day, so these are the offsets before and after any nearby change.
    let before = offset(Int64(local - 86_400))
    let after = offset(Int64(local + 86_400))
    let candidates = [local - before, local - after].sorted()
    return candidates.first { local - $0 == offset(Int64($0)) } ?? local - before
  }
}

/// A compiled time zone (tzfile(5), RFC 9636): offsets from UTC, and the times at which they change.
package struct ZoneFile: Sendable {
  /// The times of the changes, in seconds since 1970, ascending.
  private var moments: [Int64] = []
  /// The offset from each of these times on, in seconds east of UTC.
  private var offsets: [Int] = []
  /// The offset before the first change.
  private var firstOffset = 0
  /// The rule for the time after the last change.
  private var rule: ZoneRule?

  /// Reads a file; nil if it is invalid or counts leap seconds, which these clocks do not support.
  package init?(_ bytes: Span<UInt8>) {
    var reader = ZoneBytes()
    guard let first = ZoneHeader(bytes, &reader) else { return nil }
    if first.version < UInt8(ascii: "2") {
      guard read(bytes, &reader, first, timeSize: 4) else { return nil }
      return
    }
    // Version 2 and later repeat everything with times of eight bytes.
    guard reader.skip(first.size(timeSize: 4), in: bytes), let header = ZoneHeader(bytes, &reader),
      read(bytes, &reader, header, timeSize: 8), let footer = reader.footer(bytes)
    else { return nil }
    guard !footer.isEmpty else { return }
    guard let rule = ZoneRule(footer.span) else { return nil }
    self.rule = rule
  }

  private mutating func read(
    _ bytes: Span<UInt8>, _ reader: inout ZoneBytes, _ header: ZoneHeader, timeSize: Int
  ) -> Bool {
    guard header.leaps == 0, (1...256).contains(header.types) else { return false }
    for _ in 0..<header.times {
      guard let moment = reader.integer(bytes, timeSize), moments.last.map({ $0 < moment }) ?? true else {
        return false
      }
      moments.append(moment)
    }
    var kinds: [Int] = []
    for _ in 0..<header.times {
      guard let kind = reader.integer(bytes, 1).map({ Int($0 & 0xFF) }), kind < header.types else {
        return false
      }
      kinds.append(kind)
    }
    var types: [Int] = []
    for _ in 0..<header.types {
      // Every zone is less than a day from UTC.
      guard let offset = reader.integer(bytes, 4), abs(offset) < 86_400, reader.skip(2, in: bytes) else {
        return false
      }
      types.append(Int(offset))
    }
    guard reader.skip(header.letters + header.standard + header.universal, in: bytes) else { return false }
    firstOffset = types[0]
    offsets = kinds.map { types[$0] }
    return true
  }

  /// The offset in seconds east of UTC; `moment` is in seconds since 1970.
  package func offset(at moment: Int64) -> Int {
    guard let last = moments.last else { return rule?.offset(at: moment) ?? firstOffset }
    if moment >= last { return rule?.offset(at: moment) ?? offsets[offsets.count - 1] }
    // The number of changes that have happened by then.
    var (low, high) = (0, moments.count)
    while low < high {
      let middle = (low + high) / 2
      if moments[middle] <= moment { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? firstOffset : offsets[low - 1]
  }
}

/// The counts at the beginning of a block of a zone file.
private struct ZoneHeader {
  var version: UInt8
  var universal, standard, leaps, times, types, letters: Int

  init?(_ bytes: Span<UInt8>, _ reader: inout ZoneBytes) {
    guard reader.consume("TZif", in: bytes), let version = reader.integer(bytes, 1),
      reader.skip(15, in: bytes)
    else {
      return nil
    }
    self.version = UInt8(truncatingIfNeeded: version)
    var counts: [Int] = []
    for _ in 0..<6 {
      guard let count = reader.integer(bytes, 4), (0...1 << 20).contains(count) else { return nil }
      counts.append(Int(count))
    }
    (universal, standard, leaps) = (counts[0], counts[1], counts[2])
    (times, types, letters) = (counts[3], counts[4], counts[5])
  }

  /// How many bytes follow in this block.
  func size(timeSize: Int) -> Int {
    times * (timeSize + 1) + types * 6 + letters + leaps * (timeSize + 4) + standard + universal
  }
}

/// Reads big-endian numbers from the front.
private struct ZoneBytes {
  private var position = 0

  mutating func consume(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
    let letters = Array("\(text)".utf8)
    guard bytes.count - position >= letters.count else { return false }
    for (index, letter) in letters.enumerated() where bytes[position + index] != letter { return false }
    position += letters.count
    return true
  }

  mutating func skip(_ count: Int, in bytes: Span<UInt8>) -> Bool {
    guard count >= 0, bytes.count - position >= count else { return false }
    position += count
    return true
  }

  /// A signed number of this many bytes.
  mutating func integer(_ bytes: Span<UInt8>, _ size: Int) -> Int64? {
    guard bytes.count - position >= size else { return nil }
    var number = Int64(Int8(bitPattern: bytes[position]))
    for index in 1..<max(size, 1) where index < size { number = number << 8 | Int64(bytes[position + index]) }
    position += size
    return number
  }

  /// The text between the two line feeds at the end.
  mutating func footer(_ bytes: Span<UInt8>) -> [UInt8]? {
    guard consume("\n", in: bytes) else { return nil }
    var text: [UInt8] = []
    while position < bytes.count {
      if bytes[position] == 10 { return text }
      text.append(bytes[position])
      position += 1
    }
    return nil
  }
}
