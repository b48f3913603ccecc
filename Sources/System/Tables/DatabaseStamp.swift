import SystemIO

/// A stamp that changes with every commit to an SQLite database, read from its files as bytes.
///
/// It does not open the database, so our locks do not block a writer. Do not use it in a process with an open
/// connection: closing these files would release the locks of that connection. Source: "Database File Format"
/// and "WAL-mode File Format" of SQLite.
package struct DatabaseStamp: Equatable, Sendable {
  private let file: FileStamp
  /// The change counter of the database file; `journal` is the rollback log, which a commit removes.
  private let header: [UInt8]
  private let journal: FileStamp?
  /// For a database with a write-ahead log, the header of its index, which is written last.
  private let index: [UInt8]
  /// The log itself, if it lacks an index because its only user keeps the index in memory.
  private let log: FileStamp?

  /// Reads the stamp; nil if the file does not exist.
  package init?(of path: String) {
    // The other files are beside the file that a link leads to.
    let path = FileMode.target(of: path)
    guard let file = FileStamp(of: path) else { return nil }
    let index = Self.bytes(of: path + "-shm", 0..<48)
    self.index = index
    log = index.isEmpty ? FileStamp(of: path + "-wal") : nil
    header = Self.bytes(of: path, 24..<28)
    journal = FileStamp(of: path + "-journal")
    // With an index, the database file changes when data moves into it from the log.
    self.file = file
  }

  private static func bytes(of path: String, _ range: Range<Int>) -> [UInt8] {
    (try? ByteInput.bytes(of: path, in: range)) ?? []
  }

  package static func == (a: DatabaseStamp, b: DatabaseStamp) -> Bool {
    guard a.index.isEmpty, b.index.isEmpty else {
      return a.index == b.index && a.file.identity == b.file.identity
    }
    return a.file == b.file && a.header == b.header && a.journal == b.journal && a.log == b.log
  }
}

/// Notices commits to a database soon after they are made.
package struct DatabaseWatch {
  /// The milliseconds between inspections after an event.
  ///
  /// Several inspections are needed, because a commit writes its mark last.
  private static let looks = [2, 4, 8, 16, 32, 64, 128]
  /// The interval between inspections without events.
  private static let pause = Duration.seconds(1)

  private let path: String
  private let folder: FileWatch?
  private var stamp: DatabaseStamp?
  private var step = looks.count

  /// Watches the folder of the database, because the files beside it are created and removed.
  package init(_ path: String) {
    let path = FileMode.resolved(path)
    self.path = path
    folder = FileWatch(folder: FileMode.folder(of: path))
    stamp = DatabaseStamp(of: path)
  }

  /// Waits for a commit; false after a signal, or if `deadline` on the monotonic clock has passed.
  ///
  /// Without a deadline, the wait is not limited.
  package mutating func wait(until deadline: Duration?) -> Bool {
    while Interruption.pending == nil {
      let now = SystemClock.monotonic()
      if let deadline, now >= deadline { return false }
      let pause = step < Self.looks.count ? Duration.milliseconds(Self.looks[step]) : Self.pause
      var polls = PollSet()
      polls.addInterruption()
      // An event restarts the inspections, but does not shorten the first pause, because many events arrive
      // together.
      if let folder, step == Self.looks.count { polls.add(folder.raw, reading: true) }
      polls.wait(until: min(now + pause, deadline ?? .seconds(Int64.max / 2)))
      step = folder?.takeChange() == true ? 0 : min(step + 1, Self.looks.count)
      let current = DatabaseStamp(of: path)
      // Do not read the files after a signal.
      if Interruption.pending != nil { return false }
      if current != stamp {
        stamp = current
        return true
      }
    }
    return false
  }
}
