import JSONLines

extension LineReader {
  /// A name that stands twice in an identity would name two records, one for each way of reading it.
  func requireUniqueNames(_ line: Span<UInt8>, _ identity: Range<Int>) throws(ChangeError) {
    var names = IdentityNames()
    // The identity is part of a line that has been validated, so this cannot fail.
    _ = try? JSONScanner.scan(line.extracting(identity), from: 0, into: &names)
    if let name = names.repeated { throw .duplicateMember(name) }
  }
}

/// The decoded names of an identity's members.
private struct IdentityNames: MemberSink {
  private var names: Set<[UInt8]> = []
  private var first: [UInt8]?
  private(set) var repeated: String?

  mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
    var decoded: [UInt8] = []
    JSONString.appendDecoded(text, name, to: &decoded)
    guard let first else { return self.first = decoded }
    names.insert(first)
    if !names.insert(decoded).inserted, repeated == nil {
      repeated = String(decoding: decoded, as: UTF8.self)
    }
  }
}
