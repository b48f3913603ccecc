import CaptureFiles
import Captures
import CommandLine
import JSONLines
import SyncCore
import SystemIO

extension PcapstreamTool {
  static func run(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard settings.memory.bytes >= 1 << 20 else {
      throw UsageError.conflict("'--memory' must be at least 1M")
    }
    var capture = try CaptureFile(opening: settings.file)
    guard let link = LinkType(dataLink: capture.dataLink) else { throw unsupported(capture) }
    if !settings.filter.isEmpty { try capture.setFilter(settings.filter) }
    var reading = CaptureReading(
      PacketReader(link, datagramsOf: settings.port?.number, memory: settings.memory.bytes), console)
    var output = ByteOutput.standardOutput
    var progress = Progress("read", total: FileMode.size(of: settings.file), on: console)
    do {
      while try capture.next(flushing: &output, { try reading.add($0, $1, $2, &$3) }) {
        progress.update(reading.size)
      }
    } catch {
      // Write all data that precedes the damage or the signal, in order or not.
      try reading.finish(&output)
      throw error
    }
    try reading.finish(&output)
    if capture.count > 0, reading.others == capture.count {
      let packets = CaptureReading.count(capture.count, "packet")
      console.note(
        settings.port == nil
          ? "no TCP in \(packets); --udp PORT reads datagrams" : "no datagrams of that port in \(packets)")
    }
    return reading.status(of: settings.file)
  }

  private static func unsupported(_ capture: borrowing CaptureFile) -> Diagnostic {
    Diagnostic(
      .unsupportedLinkType, "link type \(capture.dataLink), \(capture.dataLinkName), is not supported",
      file: capture.name,
      hint:
        "capture with -i any, or on the interface of the addresses: Ethernet, Linux cooked, loopback and raw IP "
        + "are supported")
  }
}

/// Reads packets and writes their lines.
private struct CaptureReading {
  private var reader: PacketReader
  private var lines = StreamOutput()
  private let console: Console
  /// How many bytes of packets were read.
  private(set) var size = 0

  /// How many packets were ignored.
  var others: Int { reader.others }

  init(_ reader: PacketReader, _ console: Console) { (self.reader, self.console) = (reader, console) }

  mutating func add(
    _ packet: Span<UInt8>, _ wireLength: Int, _ time: Instant, _ output: inout ByteOutput
  ) throws {
    size += packet.count
    reader.read(packet, wireLength: wireLength, at: time, into: &lines)
    try write(&output)
  }

  mutating func finish(_ output: inout ByteOutput) throws {
    reader.finish(into: &lines)
    try write(&output)
    try output.flush()
  }

  private mutating func write(_ output: inout ByteOutput) throws {
    if !lines.lines.isEmpty {
      try output.write(lines.lines.span)
      lines.lines.removeAll(keepingCapacity: lines.lines.count < 1 << 20)
    }
    guard !lines.findings.isEmpty else { return }
    try output.flush()
    for finding in lines.findings { console.report(Diagnostic(finding)) }
    lines.findings = []
  }

  /// Reports missing data and returns the exit status.
  func status(of file: String) -> ExitStatus {
    if lines.unlisted > 0 {
      console.note(
        "not listed: \(Self.count(lines.unlisted, "more line")) like these; the limits are "
          + "\(StreamOutput.mostOfStream) per stream and \(StreamOutput.mostListed) in all")
    }
    var faults: [String] = []
    if lines.gaps > 0 {
      faults.append("\(Self.count(lines.gaps, "gap")) of \(Self.count(lines.missing, "byte")) in all")
    }
    if reader.incomplete > 0 {
      faults.append("\(Self.count(reader.incomplete, "packet")) without all fragments")
    }
    if reader.cut > 0 {
      faults.append("\(Self.count(reader.cut, "packet")) without complete headers")
    }
    if !faults.isEmpty {
      return console.report(Diagnostic(.missingBytes, faults.joined(separator: ", "), file: file))
    }
    return lines.found > 0 ? .badData : .done
  }

  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
