import JSONLines
import SyncCore

/// A wire delta that unpacks packs to a delta that unpacks to the same; so do lines that pack.
///
/// The first byte chooses what the rest is: a delta or lines, lossy or not.
func fuzzWire(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let isLossy = choice & 1 != 0
  let text = Array(bytes.dropFirst())
  if choice & 2 != 0 {
    checkLines(text, isLossy: isLossy)
  } else {
    checkDelta(text, isLossy: isLossy)
  }
}

/// Input need not be in the wire's own form, such as a clock with a fraction; output always is.
private func checkDelta(_ text: [UInt8], isLossy: Bool) {
  guard let (lines, types) = unpack(text, isLossy: isLossy), isOneEntryARecord(lines) else { return }
  let exact = pack(lines, types, isLossy: false)
  guard let delta = exact ?? pack(lines, types, isLossy: true) else { fatalError("what unpacks packs") }
  guard let (again, _) = unpack(delta, isLossy: false) else { fatalError("what is packed unpacks") }
  require(pack(again, types, isLossy: false) == delta, "the same delta")
  require(
    exact == nil || lines.split(separator: 10).count == again.split(separator: 10).count, "as many lines")
}

/// Two entries of one record can be read, and are not sent: which of them counts would depend on the reader.
private func isOneEntryARecord(_ lines: [UInt8]) -> Bool {
  var reader = LineReader(RecordShape())
  var keys: Set<[UInt8]> = []
  for line in lines.split(separator: 10) {
    var key: [UInt8] = []
    guard (try? reader.read(Array(line).span, key: &key)) != nil else { continue }
    if !key.isEmpty, !keys.insert(key).inserted { return false }
  }
  return true
}

private func checkLines(_ text: [UInt8], isLossy: Bool) {
  guard let delta = pack(text, nil, isLossy: isLossy) else { return }
  guard let (lines, types) = unpack(delta, isLossy: false) else { fatalError("what is packed unpacks") }
  require(pack(lines, types, isLossy: false) == delta, "the same delta with its types")
}

/// The lines of the first delta in a text, and their types; nil if they cannot be read without loss.
private func unpack(_ input: [UInt8], isLossy: Bool) -> ([UInt8], WireTypes)? {
  var (texts, reader, types, lines) = (WireTexts(), WireReader(isLossy: isLossy), WireTypes(), [UInt8]())
  guard case .value(let raw) = texts.next(in: input.span), texts.next(in: input.span) == nil else {
    return nil
  }
  do throws(WireFailure) {
    let delta = try WireDelta(input.span, raw, isLossy: isLossy, ignored: &reader.ignored)
    var entries = WireEntries(delta)
    var records: [WireRecord] = []
    while let entry = entries.next(in: input.span) {
      let record = try reader.read(entry, of: input.span)
      types.learn(record, of: input.span)
      records.append(record)
    }
    for record in records {
      try types.check(record, of: input.span)
      record.appendLine(input.span, to: &lines)
    }
    delta.appendCheckpoint(input.span, to: &lines)
    return (lines, types)
  } catch {
    require(!error.message.isEmpty, "a failure has a message")
    return nil
  }
}

private func pack(_ lines: [UInt8], _ types: WireTypes?, isLossy: Bool) -> [UInt8]? {
  var packer = WirePacker(RecordShape(), types: types, isLossy: isLossy)
  for line in lines.split(separator: 10) {
    let line = Array(line)
    do throws(WireFailure) {
      try packer.add(line.span, number: 1)
    } catch {
      require(!error.message.isEmpty, "a failure has a message")
      return nil
    }
  }
  var delta: [UInt8] = []
  packer.appendDelta(to: &delta)
  return delta
}
