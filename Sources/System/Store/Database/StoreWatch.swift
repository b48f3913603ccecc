import SystemIO

/// Reports possible new commits of a store without opening it.
///
/// A commit can be read once the index of the log contains it. The writer updates the index after the log,
/// sometimes much later. That update does not change the files' times. So each change is reported several
/// times, at growing intervals.
package struct StoreWatch: Sendable {
  private var stamp: FileStamp?
  private var next = Duration.zero
  private var pause = Duration.zero
  private static let firstPause = Duration.milliseconds(125)
  private static let longestPause = Duration.seconds(8)

  package init() {}

  /// Whether the store may have new commits; false without a file.
  package mutating func mayHaveNews(_ path: String, at now: Duration) -> Bool {
    // The log is beside the file that a link leads to.
    let log = "\(FileMode.target(of: path))-wal"
    guard let current = FileStamp(of: log) ?? FileStamp(of: path) else { return false }
    if current != stamp {
      (stamp, pause) = (current, Self.firstPause)
    } else if now < next || pause > Self.longestPause {
      return false
    }
    next = now + pause
    pause *= 2
    return true
  }
}
