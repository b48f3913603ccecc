import Captures
import CommandLine
import Discovery
import JSONLines
import SyncCore
import SystemIO

extension PeerdiscoverTool {
  static func runDecode(_ settings: Settings, on console: Console) throws -> ExitStatus {
    var output = ByteOutput.standardOutput
    return try BadLines.collecting(settings, inputs: settings.operands, on: console) { badLines in
      do {
        for path in settings.operands {
          switch settings.input {
          case .hex, .base64: try decodeLines(path, settings.input, into: &output, &badLines)
          case .dump, .raw: try decodeWhole(path, settings.input, into: &output, &badLines)
          }
        }
      } catch {
        try? output.flush()
        throw error
      }
      try output.flush()
      return .done
    }
  }

  private static func decodeLines(
    _ path: String, _ form: PacketForm, into output: inout ByteOutput, _ badLines: inout BadLines
  ) throws {
    try InputLines.forEach(of: path, flushing: &output) { line, number, output in
      do throws(Diagnostic) {
        if DatagramLine.isBegun(by: line) {
          try write(datagram: line, path, number, into: &output)
        } else {
          try write(try packet(line, form, in: path, number), path, number, into: &output)
        }
      } catch {
        try output.flush()
        try badLines.leaveOut(line, because: error)
      }
      try output.flushIfFull()
    }
  }

  private static func decodeWhole(
    _ path: String, _ form: PacketForm, into output: inout ByteOutput, _ badLines: inout BadLines
  ) throws {
    let limit = 256 << 20
    let contents =
      form == .raw
      ? try ByteInput.contents(of: path, limit: limit)[...] : try InputLines.contents(of: path, limit: limit)
    do throws(Diagnostic) {
      try write(form == .raw ? Array(contents) : try undump(contents, path), path, nil, into: &output)
    } catch {
      try output.flush()
      try badLines.leaveOut(contents.span, because: error)
    }
  }

  private static func packet(
    _ text: Span<UInt8>, _ form: PacketForm, in file: String, _ number: Int
  ) throws(Diagnostic) -> [UInt8] {
    var bytes: [UInt8] = []
    if form == .base64 {
      do throws(Base64.Failure) {
        try Base64.decode(text, into: &bytes)
      } catch {
        throw Diagnostic(
          .invalidBase64, "\(error.message) at byte \(error.offset + 1)", file: file, line: number)
      }
    } else {
      var hex = HexText()
      do throws(HexText.Failure) {
        try hex.decode(text, into: &bytes)
      } catch {
        throw Diagnostic(
          .invalidHex, "\(error.message) at byte \(error.column + 1)", file: file, line: number,
          hint: error.hint)
      }
    }
    return bytes
  }

  private static func undump(_ text: ArraySlice<UInt8>, _ file: String) throws(Diagnostic) -> [UInt8] {
    var (hex, lines) = (HexText(readsPackets: true), LineCursor())
    var bytes: [UInt8] = []
    while let line = lines.next(in: text.span) {
      do throws(HexText.Failure) {
        try hex.decode(text.span.extracting(line.content), into: &bytes)
      } catch {
        throw Diagnostic(
          .invalidHex, "\(error.message) at byte \(error.column + 1)", file: file, line: line.number,
          hint: error.hint)
      }
    }
    return bytes
  }

  private static func write(
    datagram line: Span<UInt8>, _ file: String, _ number: Int, into output: inout ByteOutput
  ) throws(Diagnostic) {
    let datagram: DatagramLine
    do throws(MemberError) {
      datagram = try DatagramLine(line)
    } catch {
      var diagnostic = Diagnostic(error, file: file, line: number)
      if error == DatagramLine.ofStream { diagnostic.hint = "pcapstream --udp 5353 writes datagrams" }
      throw diagnostic
    }
    guard datagram.missing == 0 else {
      throw Diagnostic(
        .missingBytes, "the last \(datagram.missing) bytes of the datagram were not captured", file: file,
        line: number, hint: "tcpdump -s 0 captures whole packets")
    }
    let message = try json(of: datagram.data, "datagram", file, number)
    datagram.append(message, to: &output.buffer)
  }

  private static func write(
    _ packet: [UInt8], _ file: String, _ line: Int?, into output: inout ByteOutput
  ) throws(Diagnostic) {
    output.buffer += try json(of: UDPPayload.message(in: packet), "packet", file, line)
    output.buffer.append(UInt8(ascii: "\n"))
  }

  /// The message in the bytes of a packet or datagram.
  private static func json(
    of bytes: [UInt8], _ whole: String, _ file: String, _ line: Int?
  ) throws(Diagnostic) -> [UInt8] {
    var text: [UInt8] = []
    do throws(DNSMessageError) {
      try DNSMessage(reading: bytes.span).json.append(to: &text)
    } catch {
      var place = line == nil ? "" : " at byte \(error.offset + 1) of the \(whole)"
      if case .tooLarge = error { place = "" }
      throw Diagnostic(
        .malformedPacket, error.message + place, file: file, line: line,
        offset: line == nil ? error.offset : nil)
    }
    return text
  }
}
