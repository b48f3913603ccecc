import JSONLines
import Store
import SyncCore
import SystemIO

/// A file of records: lines, a JSON array, or separated values.
final class BoundFile: BoundSource {
  private let path: String
  private var text: RecordText?
  private var wrapping: RecordWrapping
  private let wait: Duration

  init(_ binding: Binding, wait: Duration) {
    path = FileMode.resolved(binding.source)
    wrapping = RecordWrapping(binding)
    self.wait = wait
  }

  var isWrittenAsAWhole: Bool { true }

  var digest: Int64 {
    (text?.pieces ?? []).reduce(0) { $0 &+ RecordDigest.of($1.record.span) }
  }

  var isPartial: Bool { text?.format.isPartial ?? false }
  var hasTexts: Bool { isPartial }

  var remedy: String? { nil }
  var isExcerpt: Bool { false }
  var mark: ReadMark? { nil }

  func load(since mark: ReadMark?, now: Instant) throws {
    let lease = try lease()
    let bytes = try contents(of: lease.file)
    guard !bytes.starts(with: "SQLite format 3\0".utf8) else {
      throw BindingError(
        .wrongType, "an SQLite database, not a file of records",
        hint: "use --table to name one of its tables; 'sqlite3 FILE .tables' lists them")
    }
    text = try RecordText(bytes, named: path)
  }

  func forEachRecord(_ take: (Span<UInt8>, Int?) throws -> Void) throws {
    for piece in text?.pieces ?? [] { try take(piece.record.span, piece.line) }
  }

  /// Waits until all other processes have closed the file for writing.
  private func lease() throws -> FileLease {
    // Opening a pipe would block until its other end is opened.
    guard FileMode.isFile(path) else { throw BindingError(.notReadable, "not a regular file") }
    let deadline = SystemClock.monotonic() + wait
    while true {
      if let lease = try FileLease(path) { return lease }
      try pause(until: deadline)
    }
  }

  private func pause(until deadline: Duration) throws {
    guard SystemClock.monotonic() < deadline else {
      throw BindingError(
        .storeBusy, "another process keeps writing to the file", hint: "try again, or wait longer with --wait"
      )
    }
    var polls = PollSet()
    polls.addInterruption()
    polls.wait(until: SystemClock.monotonic() + .milliseconds(10))
    if Interruption.pending != nil { throw SystemError.interrupted }
  }

  private func contents(of file: borrowing Descriptor) throws -> [UInt8] {
    guard file.kind == .regular else { throw BindingError(.notReadable, "not a regular file") }
    let size = file.size
    let bytes = try ByteInput.bytes(of: file, in: 0..<size + 1)
    // During a lease other processes cannot write; without a lease, a changed size reveals a writer.
    guard bytes.count == size else {
      throw BindingError(.storeBusy, "the file has changed while it was read", hint: "try again")
    }
    return bytes
  }

  // MARK: Writing

  func write(
    since mark: ReadMark?, now: Instant, _ course: (Loaded) throws -> [ChangeStore.Arrival]
  ) throws -> Delivery {
    let deadline = SystemClock.monotonic() + wait
    while true {
      let lease = try lease()
      let bytes = try contents(of: lease.file)
      let isChanged = text?.text != bytes
      if isChanged { text = try RecordText(bytes, named: path) }
      let arrivals = try course(isChanged ? .records : .nothing)
      guard let text, !arrivals.isEmpty else { return Delivery() }
      let (delivery, new) = try edited(text, arrivals)
      if try new == bytes || replace(with: new, lease) {
        self.text = try RecordText(new, named: path)
        return delivery
      }
      try pause(until: deadline)
    }
  }

  func refusals(of arrivals: [ChangeStore.Arrival]) throws -> [Diagnostic] {
    try text.map { try edited($0, arrivals).0.refused.map(\.error) } ?? []
  }

  private func edited(
    _ text: RecordText, _ arrivals: [ChangeStore.Arrival]
  ) throws -> (Delivery, [UInt8]) {
    var places: [[UInt8]: Int] = [:]
    for (index, piece) in text.pieces.enumerated() {
      places[try wrapping.key(of: piece.record.span)] = index
      if isPartial, let other = wrapping.numbered(piece.record.span) { places[other.key] = index }
    }
    var delivery = Delivery()
    var changes: [Int: [UInt8]?] = [:]
    var added: [[UInt8]] = []
    for arrival in arrivals {
      let before = places[arrival.key].map { text.pieces[$0].record }
      guard !arrival.isTombstone else {
        if let place = places[arrival.key] {
          changes[place] = .some(nil)
          delivery.written += 1
        }
        delivery.settled.append((arrival, before, nil))
        continue
      }
      let fields = try wrapping.whole(arrival)
      guard let fields, let new = text.rendered(fields) else {
        let reason = fields.map { text.unfitness(of: $0) } ?? "its fields have another key"
        let message = "\(Key.shown(arrival.key.span)): cannot be written to this file: \(reason)"
        delivery.refused.append((arrival, Diagnostic(.unfitValue, message, file: path)))
        continue
      }
      let (shown, hidden) = text.divided(fields)
      for member in hidden where member.value != .null { delivery.hidden.insert(member.name) }
      var record: [UInt8] = []
      shown.append(to: &record)
      if let place = places[arrival.key] {
        changes[place] = new
        if new != Array(text.text[text.pieces[place].range]) { delivery.written += 1 }
      } else {
        added.append(new)
        delivery.written += 1
      }
      delivery.settled.append((arrival, before, record))
    }
    return (delivery, text.replacing(changes, adding: added))
  }

  /// Replaces the text; false if another process has written meanwhile, and then its text is restored.
  private func replace(with new: [UInt8], _ lease: borrowing FileLease) throws -> Bool {
    let stamp = lease.stamp
    let mode = FileMode.permissions(of: path)
    guard mode & 0o222 != 0 else {
      throw BindingError(
        .cannotCreate, "the file is read-only, so changes are not written to it",
        hint: "chmod u+w, or 'peersync bind remove'")
    }
    let other = "\(path).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).part"
    defer { FileMode.remove(other) }
    let file = try AtomicFile(creating: other, mode: mode)
    try file.write(new.span)
    try file.commit()
    FileMode.giveOwnerAndMode(of: path, to: other)
    guard lease.isQuiet, FileStamp(of: path) == stamp else { return false }
    guard try FileMode.exchange(other, path) == true else {
      try FileMode.rename(other, to: path)
      return true
    }
    // The replaced file, now at `other`, must be the file that was read, and must not be open in another
    // process.
    if lease.isQuiet, FileStamp(of: other) == stamp { return true }
    _ = try FileMode.exchange(other, path)
    return false
  }
}
