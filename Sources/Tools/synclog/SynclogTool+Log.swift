import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import ToolInputs

extension SynclogTool {
  static let log = Command(
    "log", "say when each change came, and from whom",
    discussion: [
      "One object for each record that is stored, in the order in which they came: its place in that order, when it was "
        + "stored here, the peer that it came from, if it did, and its key. A change that has been replaced is not there "
        + "any more."
    ],
    settings: PlainSettings(), options: Option.storePlace, statuses: asked,
    examples: [.init("What came last:", "synclog log | tail -n 3")], run: runLog)

  private static func runLog(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console) { store in
      var output = ByteOutput.standardOutput
      var reader = ChangeReader(RecordShape())
      try store.forEachArrival { arrival in
        var head: [JSONMember] = [.init("sequence", .integer(arrival.sequence))]
        if let at = arrival.at.flatMap({ Instant(seconds: $0) }) {
          head.append(.init("at", .string("\(at)")))
        }
        if let peer = arrival.peer { head.append(.init("peer", .string(peer))) }
        var bytes = Array(JSONValue.object(head).text.utf8.dropLast()) + [UInt8(ascii: ",")]
        reader.appendKeyMembers(of: arrival.line.span, to: &bytes)
        if arrival.isTombstone { bytes += Array(",\"isDeleted\":true".utf8) }
        try output.write(bytes + Array("}\n".utf8))
      }
      try output.flush()
      return .done
    }
  }
}
