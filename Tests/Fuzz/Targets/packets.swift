import Captures
import SyncCore

/// Packets give readable lines whose offsets follow one another, and do not end the process.
///
/// The first byte chooses the link type. Each packet has two bytes for its length, one for the time since the
/// last one, and one for the number of uncaptured bytes.
func fuzzPackets(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let links = [1, 113, 276, 0, 101].compactMap { LinkType(dataLink: $0) }
  var reader = PacketReader(
    links[Int(choice) % links.count], datagramsOf: choice & 0x80 == 0 ? nil : 5_353, memory: 1 << 16)
  var output = StreamOutput()
  var rest = bytes.dropFirst()
  var milliseconds = 0
  while rest.count > 4 {
    let header = Array(rest.prefix(4))
    let packet = Array(rest.dropFirst(4).prefix(Int(header[0]) << 8 | Int(header[1])))
    rest = rest.dropFirst(4 + packet.count)
    milliseconds += Int(header[2]) * 100
    let time = Instant.epoch.advanced(by: .milliseconds(milliseconds))
    reader.read(packet.span, wireLength: packet.count + Int(header[3]), at: time, into: &output)
  }
  reader.finish(into: &output)
  if choice & 0x80 == 0 { check(output) } else { checkDatagrams(output) }
}

private func checkDatagrams(_ output: StreamOutput) {
  var (count, missing) = (0, 0)
  for text in output.lines.split(separator: 10) {
    guard let line = try? DatagramLine(Array(text).span) else {
      return require(false, "a line that cannot be read")
    }
    require(line.number == count, "numbers follow one another")
    count += 1
    missing += line.missing
  }
  require(missing == output.missing, "the bytes that were not captured")
}

private func check(_ output: StreamOutput) {
  var offsets: [StreamLine.Direction: Int] = [:]
  var missing = 0
  var options = FrameReader.Options()
  options.annotates = true
  var frames = StreamFrames(FrameDecoder(prefix: .u32be, limit: 1_000), options)
  var messages: [UInt8] = []
  for text in output.lines.split(separator: 10) {
    guard let line = try? StreamLine(Array(text).span) else {
      return require(false, "a line that cannot be read")
    }
    require(line.offset == offsets[line.direction, default: 0], "offsets follow one another")
    switch line.content {
    case .data(let bytes): offsets[line.direction] = line.offset + bytes.count
    case .gap(let count):
      offsets[line.direction] = line.offset + count
      missing += count
    }
    _ = try? frames.add(line, into: &messages)
  }
  _ = try? frames.finish(into: &messages)
  require(missing == output.missing, "the bytes of all gaps")
}
