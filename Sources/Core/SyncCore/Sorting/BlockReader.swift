package import JSONLines

/// The purpose of reading lines, which decides which lines are invalid.
package enum LineUse: Sendable {
  /// The lines are written again.
  case filter
  /// The lines are for a store, which does not accept lines that are too long or too deep.
  case write
  /// The lines are for a store that receives them from a peer, so a deletion must have a clock.
  case apply
}

/// Converts the lines of a block to entries; each thread has its own reader.
package struct BlockReader {
  /// The findings about a block, apart from its entries.
  package struct Report: Sendable {
    /// The number of line breaks, plus one for an unterminated last line.
    package var lines = 0
    package var checkpoints = 0
    /// The start of the last checkpoint line of the block.
    package var lastCheckpoint: Int?
    package var entries = 0
    /// The lines without an entry, in order.
    package var unusable: [Unusable] = []
    package var isTerminated = true
    package var forms = KeyForms()
  }

  /// A line without an entry; `line` is its 0-based number in the block.
  package struct Unusable: Sendable {
    package var line: Int
    package var offset: Int
    package var reason: Reason
  }

  package enum Reason: Explained {
    case error(ChangeError)
    /// The line's clock is further ahead than the drift guard allows.
    case clockAhead
    /// The line exceeds the limits of a store.
    case excess(StorableLine.Excess)

    package var code: ErrorCode {
      switch self {
      case .error(let error): error.code
      case .clockAhead: .clockAhead
      case .excess(let excess): excess.code
      }
    }

    package var message: String {
      switch self {
      case .error(let error): error.message
      case .clockAhead: "the clock is further ahead of now than --max-drift allows"
      case .excess(let excess): excess.message
      }
    }

    package var remedy: String? {
      if case .error(let error) = self { error.remedy } else { nil }
    }
  }

  private var reader: LineReader
  private let drift: DriftGuard?
  private let use: LineUse
  private var key: [UInt8] = []
  private var known = PlainForms()
  /// The known forms, by their indexes.
  private var forms = [KnownForm](repeating: KnownForm(), count: EntityForms.limit)

  package init(_ shape: RecordShape, drift: DriftGuard? = nil, use: LineUse = .filter) {
    reader = LineReader(shape)
    (self.drift, self.use) = (drift, use)
  }

  /// Reads block `number`; reads `copy` instead if the block's own text may change meanwhile.
  package mutating func read(_ block: inout LineBlock, number: Int, copy: TextRegion? = nil) -> Report {
    var report = Report()
    known = PlainForms()
    let (region, range) = copy.map { ($0, 0..<$0.count) } ?? (block.region, block.range)
    let text = region.span.extracting(range)
    var entries: [LineEntry] = []
    entries.reserveCapacity(text.count / 256)
    var (start, reach) = (0, LineReach(longest: 0))
    while start < text.count {
      var entry = LineEntry(block: number, offset: start, line: report.lines, source: block.source)
      report.lines += 1
      var end = start
      if !text.isBlankLine(from: start, end: &end) {
        do throws(ChangeError) {
          if let reason = try read(text, &entry, &end, &report) {
            report.unusable.append(Unusable(line: report.lines - 1, offset: start, reason: reason))
          } else if entry.word != UInt64.max {
            entries.append(entry)
          }
        } catch {
          report.unusable.append(Unusable(line: report.lines - 1, offset: start, reason: .error(error)))
        }
      }
      report.isTerminated = end < text.count
      reach = LineReach(longest: max(reach.longest, end - start), last: start)
      start = end + 1
    }
    report.entries = entries.count
    (block.entries, block.reach) = (entries, reach)
    return report
  }

  /// Fills an entry; an entry whose word is all ones is a checkpoint.
  private mutating func read(
    _ text: Span<UInt8>, _ entry: inout LineEntry, _ end: inout Int, _ report: inout Report
  ) throws(ChangeError) -> Reason? {
    let start = Int(entry.offset)
    if !key.isEmpty { key.removeAll(keepingCapacity: true) }
    let change = try reader.read(text, from: start, key: &key, end: &end, without: known)
    guard change.kind != .checkpoint else {
      report.checkpoints += 1
      report.lastCheckpoint = start
      entry.word = .max
      return nil
    }
    if let drift, !drift.admits(change) { return .clockAhead }
    if use == .apply, change.isTombstone, change.clock == nil { throw .missingClock }
    if use != .filter, let excess = StorableLine.excess(text.extracting(start..<end), change.kind) {
      return .excess(excess)
    }
    entry.describe(change)
    let plain = reader.plainIdentity
    if let plain, plain.lowerBound - start <= UInt16.max {
      entry.keyOffset = UInt16(plain.lowerBound - start)
    }
    if reader.hasCapitals, let plain {
      entry.word = UInt64(place(capitals: text, plain, &report.forms))
      entry.flags.insert(.capitals)
    } else {
      entry.word = UInt64(place(text, plain, &report.forms))
    }
    return nil
  }

  /// The index of the form of the last key read; the key's bytes are present only if its form is not known.
  @inline(__always)
  private mutating func place(_ text: Span<UInt8>, _ plain: Range<Int>?, _ forms: inout KeyForms) -> Int {
    if key.isEmpty, let plain {
      let number = reader.plainForm.place
      if self.forms[number].admits(text, plain) { return self.forms[number].place }
      key += self.forms[number].prefix
      key.append(text.extracting(plain))
      key += KeyForms.plainEnd
    }
    return add(plain, &forms)
  }

  /// As above, for a key whose value is a UUID with capitals.
  @inline(never)
  private mutating func place(
    capitals text: Span<UInt8>, _ plain: Range<Int>, _ forms: inout KeyForms
  ) -> Int {
    if key.isEmpty {
      let form = self.forms[reader.plainForm.place]
      if form.admits(capitals: text, plain) { return form.place }
      key += form.prefix
      key.append(text.extracting(plain))
      UUIDCapitals.lower(&key, form.prefix.count..<key.count)
      key += KeyForms.plainEnd
    }
    return add(plain, &forms)
  }

  private mutating func add(_ plain: Range<Int>?, _ forms: inout KeyForms) -> Int {
    let form = key.count - (plain.map { $0.count + KeyForms.plainEnd.count } ?? KeyForms.tailLength(of: key))
    let place = forms.add(key, form: form)
    if plain != nil {
      known.insert(reader.plainForm)
      self.forms[reader.plainForm.place] = KnownForm(
        place: place, prefix: Array(key[..<form]), shared: forms.shared(place))
    }
    return place
  }
}

/// The form of an earlier line's plain key; the next plain key of the entity usually has the same form.
private struct KnownForm {
  var place = 0
  var prefix: [UInt8] = []
  /// The common beginning of the values of all keys so far; nil if it is too long.
  var shared: ShortString?

  /// Whether the form already covers a key with this value.
  @inline(__always)
  func admits(_ text: Span<UInt8>, _ value: Range<Int>) -> Bool {
    guard let shared, value.count >= shared.count else { return false }
    return shared.isEqual(text, value.prefix(shared.count))
  }

  /// As above, for a UUID with capitals.
  func admits(capitals text: Span<UInt8>, _ value: Range<Int>) -> Bool {
    guard let shared, value.count >= shared.count else { return false }
    return shared.isEqual(lowerCase: text, value.prefix(shared.count))
  }
}
