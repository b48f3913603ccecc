import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  static let log = Command(
    "log", "write when each change arrived, and from which peer",
    discussion: [
      "log writes one object per stored record, in order of arrival. Each has the sequence number, the time "
        + "of storage, the peer that sent it, if any, and the key. log does not list replaced changes."
    ],
    settings: PlainSettings(), options: Option.storePlace, statuses: asked,
    examples: [.init("Show the last arrivals:", "synclog log | tail -n 3")], run: runLog)

  private static func runLog(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, onlyRead: true) { store in
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
