import JSONLines
import ServerProtocol

/// A body gives the same body again, a returned record of the planner is not a change, and an accepted
/// request has one end.
func fuzzServer(_ bytes: [UInt8]) {
  if let value = try? JSONValue(parsing: bytes.span) {
    for kind in PlannerKind.allCases { _ = try? PlannerRecord(value, kind) }
  }
  if let line = PlannerLine(bytes.span), !line.isDeleted, line.content.repeatedName == nil,
    let told = line.told(revision: 1, member: nil)
  {
    guard let record = try? PlannerRecord(told, line.kind) else { fatalError("what is told is not taken") }
    require(record.content(over: line) == line.content, "as it was told")
  }
  if let body = try? ChangesBody(parsing: bytes) {
    guard let again = try? ChangesBody(parsing: body.text) else {
      fatalError("a body that was read is not read again")
    }
    require(
      again.lines == body.lines && again.token == body.token && again.rules == body.rules
        && again.resync == body.resync, "the same body")
  }
  let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
  let fields = lines.dropFirst().map { line in
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    return RequestHead.Field(
      String(decoding: line[..<colon], as: UTF8.self),
      String(decoding: line[colon...].dropFirst(), as: UTF8.self))
  }
  let words = (lines.first ?? []).split(separator: UInt8(ascii: " ")).map {
    String(decoding: $0, as: UTF8.self)
  }
  guard words.count == 3 else { return }
  let head = RequestHead(
    method: words[0], path: words[1], version: words[2], fields: Array(fields), query: [])
  guard RequestGuard.fault(of: head) == nil, RequestGuard.bodyFault(of: head) == nil else { return }
  let names = fields.map { $0.name.lowercased() }
  let (lengths, codings) = (names.count { $0 == "content-length" }, names.count { $0 == "transfer-encoding" })
  require(lengths + codings <= 1 && names.count { $0 == "host" } <= 1, "one end, one host")
}
