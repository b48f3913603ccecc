import JSONLines
@testable import SyncCore

/// Both directions, as a program uses them.
enum WireTrip {
  /// The lines of one delta, and the types that unpacking has learnt.
  static func unpack(
    _ text: String, _ types: inout WireTypes, isLossy: Bool = false
  ) throws -> [String] {
    try unpack(Array(text.utf8), &types, isLossy: isLossy)
  }

  static func unpack(
    _ bytes: [UInt8], _ types: inout WireTypes, isLossy: Bool = false
  ) throws -> [String] {
    let input = bytes.span
    var lines: [UInt8] = []
    var (reader, texts) = (WireReader(isLossy: isLossy), WireTexts())
    while let text = texts.next(in: input) {
      let raw = try value(text)
      let delta = try WireDelta(input, raw, isLossy: isLossy, ignored: &reader.ignored)
      var entries = WireEntries(delta)
      var records: [(WireEntry, WireRecord)] = []
      while let entry = entries.next(in: input) {
        let record = try reader.read(entry, of: input)
        types.learn(record, of: input)
        records.append((entry, record))
      }
      for (entry, record) in records {
        do throws(WireFailure) {
          try types.check(record, of: input)
        } catch {
          throw error.inside(entry)
        }
        record.appendLine(input, to: &lines)
      }
      delta.appendCheckpoint(input, to: &lines)
    }
    return String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func value(_ text: WireTexts.Text) throws -> Range<Int> {
    switch text {
    case .value(let raw): return raw
    case .broken(let error, _): throw WireFailure(.json(error))
    }
  }

  static func pack(
    _ lines: [String], _ types: WireTypes? = nil, isLossy: Bool = false, shape: RecordShape = RecordShape()
  ) throws -> String {
    var packer = WirePacker(shape, types: types, isLossy: isLossy)
    for line in lines { try packer.add(Array(line.utf8).span, number: 1) }
    return delta(of: packer)
  }

  static func delta(of packer: WirePacker) -> String {
    var bytes: [UInt8] = []
    packer.appendDelta(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether two texts are the same JSON, whatever the order of their members.
  static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard (try? JSONScanner.validate(a.span)) != nil, (try? JSONScanner.validate(b.span)) != nil else {
      return false
    }
    return JSONEquality.isEqual(a.span, a.span.onlyValue, b.span, b.span.onlyValue)
  }

  static func isEqual(_ a: [String], _ b: [String]) -> Bool { a.elementsEqual(b, by: isEqual) }
}
