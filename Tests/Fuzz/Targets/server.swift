import JSONLines
import ServerProtocol

/// A body that is read gives the same body again, and a request that is let in has one end.
func fuzzServer(_ bytes: [UInt8]) {
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
  guard RequestGuard.fault(of: head) == nil else { return }
  let names = fields.map { $0.name.lowercased() }
  let (lengths, codings) = (names.count { $0 == "content-length" }, names.count { $0 == "transfer-encoding" })
  require(lengths + codings <= 1 && names.count { $0 == "host" } <= 1, "one end, one host")
}
