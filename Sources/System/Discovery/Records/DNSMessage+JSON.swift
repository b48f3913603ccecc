package import JSONLines
import SystemIO

extension DNSMessage {
  /// The message in a form for people: docs/formats/discovery.md.
  package var json: JSONValue {
    var members: [JSONMember] = [
      JSONMember("kind", .string(isResponse ? "response" : "query")), JSONMember("id", .integer(id)),
    ]
    if opcode != 0 { members.append(JSONMember("opcode", .integer(opcode))) }
    if responseCode != 0 { members.append(JSONMember("responseCode", .integer(responseCode))) }
    if isTruncated { members.append(JSONMember("truncated", true)) }
    members.append(JSONMember("questions", .array(questions.map(\.json))))
    for (name, records) in [("answers", answers), ("authorities", authorities), ("additionals", additionals)]
    {
      members.append(JSONMember(name, .array(records.map(\.json))))
    }
    return .object(members)
  }
}

extension Question {
  fileprivate var json: JSONValue {
    var members = [JSONMember("name", .string(name.description)), JSONMember("type", .string(type.name))]
    if questionClass != 1 { members.append(JSONMember("class", .integer(questionClass))) }
    members.append(JSONMember("unicast", .bool(wantsUnicast)))
    return .object(members)
  }
}

extension ResourceRecord {
  fileprivate var json: JSONValue {
    var members = [JSONMember("name", .string(name.description)), JSONMember("type", .string(type.name))]
    if recordClass != 1 { members.append(JSONMember("class", .integer(recordClass))) }
    members += [
      JSONMember("ttl", .integer(ttl)), JSONMember("flush", .bool(isUnique)), JSONMember("data", data.json),
    ]
    return .object(members)
  }
}

extension RecordData {
  fileprivate var json: JSONValue {
    switch self {
    case .address(let address): .string(address.description)
    case .pointer(let name): .string(name.description)
    case .service(let location):
      [
        "priority": .integer(location.priority), "weight": .integer(location.weight),
        "port": .integer(location.port), "host": .string(location.host.description),
      ]
    case .text(let strings): TextRecord(reading: strings).json
    case .nextSecure(let next, let types):
      ["next": .string(next.description), "types": .array(types.map { .string($0.name) })]
    case .other(_, let bytes): .encoding(bytes)
    }
  }
}

extension TextRecord {
  /// Keys with their values; null for a key without a value, an object with Base64 for bytes that are not
  /// UTF-8.
  var json: JSONValue {
    .object(
      pairs.map { pair in
        guard let value = pair.value else { return JSONMember(pair.key, .null) }
        if let text = String(validating: value, as: UTF8.self) { return JSONMember(pair.key, .string(text)) }
        return JSONMember(pair.key, .encoding(value))
      })
  }
}

extension JSONValue {
  /// `{"base64":"…"}`, for bytes that are not text.
  static func encoding(_ bytes: [UInt8]) -> JSONValue {
    var text: [UInt8] = []
    Base64.append(bytes.span, to: &text)
    return ["base64": .string(String(decoding: text, as: UTF8.self))]
  }
}
