import JSONLines
import SyncCore

/// A profile is the same in canonical form, and reads every line or refuses it.
func fuzzProfile(_ bytes: [UInt8]) {
  do throws(MemberError) {
    let profile = try Profile(parsing: bytes.span)
    require((try? Profile(parsing: canonical(bytes).span)) == profile, "one value is one profile")
    for line in lines { read(line, profile) }
  } catch {
    require(JSONPointer(error.pointer) != nil, "a place is a pointer: \(error.pointer)")
    require(!error.matter.isEmpty && !error.matter.hasSuffix("."), "a message has no period")
  }
}

private func canonical(_ bytes: [UInt8]) -> [UInt8] {
  let start = bytes.firstIndex { $0 > 32 } ?? 0
  var canonical: [UInt8] = []
  CanonicalJSON.append(bytes.span, start..<bytes.count, to: &canonical)
  return canonical
}

private func read(_ line: String, _ profile: Profile) {
  var shape = RecordShape()
  shape.profile = profile
  var reader = LineReader(shape)
  var key: [UInt8] = []
  guard (try? reader.read(Array(line.utf8).span, key: &key)) != nil else { return }
  require(key.isEmpty || (try? JSONScanner.validate(key.span)) != nil, "a key is JSON")
}

private let lines = [
  #"{"id":1,"entity":"Item","status":"completed","completedAt":1,"dueDate":2,"updatedAt":3}"#,
  #"{"id":[1],"type":"A","a":{"b":[{"c":"/"}]},"m":{"at":5,"gone":true},"deletedAt":"2025-05-02T10:00:00Z"}"#,
  #"{"entityName":"Item","identity":{"b":1,"a":2},"fields":{"status":"skipped","s":"done","t":null}}"#,
  #"{"newTokenData":"AA=="}"#,
]
