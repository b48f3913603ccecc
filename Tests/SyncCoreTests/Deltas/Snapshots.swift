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
      try Delta.walk(oldEntries, in: oldSet, newEntries, in: newSet) { old, new in
        switch Delta.difference(old, in: oldSet, new, in: newSet) {
        case nil: break
        case .line(let entry, _): output += Array(Lines.text([entry], of: newSet).utf8)
        case .delete(let entry): try delta.appendDelete(entry, of: oldSet, &reader, to: &output)
        }
      }
    } catch {
      Issue.record(error)
    }
    return String(decoding: output, as: UTF8.self)
  }
}
