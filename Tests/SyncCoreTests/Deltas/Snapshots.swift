import SyncCore
import Testing

/// Differences of two texts, as deltadiff writes them.
enum Snapshots {
  static let now = Delta.DeletionTime.now(Instant("2026-11-20T10:00:00Z")!)

  static func diff(_ old: String, _ new: String, _ time: Delta.DeletionTime = now) -> String {
    var (oldSet, newSet) = (Lines.set([old]), Lines.set([new]))
    let (delta, shape) = (Delta(deletionTime: time), RecordShape())
    var reader = LineReader(shape)
    var output: [UInt8] = []
    do {
      let oldEntries = try Delta.live(&oldSet, allowingDuplicates: false)
      let newEntries = try Delta.live(&newSet, allowingDuplicates: false)
      try Delta.compare(oldEntries, in: oldSet, newEntries, in: newSet) { change in
        switch change {
        case .new(let entry): output += Array(Lines.text([entry], of: newSet).utf8)
        case .gone(let entry): try delta.appendDelete(entry, of: oldSet, &reader, to: &output)
        }
      }
    } catch {
      Issue.record(error)
    }
    return String(decoding: output, as: UTF8.self)
  }
}
