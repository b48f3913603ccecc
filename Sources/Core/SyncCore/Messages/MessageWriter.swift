import JSONLines

/// Writes the members of one object.
struct MessageWriter {
  private var bytes: [UInt8]

  /// Begins behind what is there already.
  init(_ bytes: consuming [UInt8]) {
    self.bytes = bytes
    self.bytes.append(UInt8(ascii: "{"))
  }

  consuming func finish() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  mutating func add(_ name: MessageName, raw value: some Collection<UInt8>) {
    open(name)
    bytes.append(contentsOf: value)
  }

  mutating func add(_ name: MessageName, _ string: String) {
    open(name)
    JSONString.appendQuoted(string, to: &bytes)
  }

  mutating func add(_ name: MessageName, token: [UInt8]) {
    open(name)
    appendToken(token)
  }

  mutating func add(_ name: MessageName, strings: [String]) {
    add(name, raw: JSONValue.array(strings.map { .string($0) }).text.utf8)
  }

  /// The lines as the elements of an array; each has its LF, and no other.
  mutating func add(_ name: MessageName, lines: [UInt8]) {
    open(name)
    bytes.append(UInt8(ascii: "["))
    bytes.reserveCapacity(bytes.count + lines.count + 64)
    for offset in lines.indices {
      if lines[offset] != 10 {
        bytes.append(lines[offset])
      } else if offset + 1 < lines.count {
        bytes.append(UInt8(ascii: ","))
      }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// A delta that carries a token and nothing else.
  mutating func addEmptyDelta(token: [UInt8]) {
    open(.delta)
    bytes.append(contentsOf: "{\"upserts\":[],\"deletes\":[],\"newTokenData\":".utf8)
    appendToken(token)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func open(_ name: MessageName) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: name.rawValue.utf8)
    bytes.append(contentsOf: "\":".utf8)
  }

  private mutating func appendToken(_ token: [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    Base64.append(token.span, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}
