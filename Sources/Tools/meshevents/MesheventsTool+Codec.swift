import CommandLine
import Devices
import JSONLines
import SyncCore
import SystemIO

extension MesheventsTool {
  static func runEncode(_ settings: CodecSettings, on console: Console) throws -> ExitStatus {
    try runCodec(settings, on: console) { (line: Span<UInt8>, output: inout [UInt8]) throws(MeshError) in
      let text = try MeshMessage.encoded(line)
      Base64.append(text.span, to: &output)
    }
  }

  static func runDecode(_ settings: CodecSettings, on console: Console) throws -> ExitStatus {
    try runCodec(settings, on: console) { (line: Span<UInt8>, output: inout [UInt8]) throws(MeshError) in
      var data: [UInt8] = []
      do throws(Base64.Failure) {
        try Base64.decode(line, into: &data)
      } catch {
        throw .invalidBase64(error.message)
      }
      output += try MeshMessage.checked(data.span)
    }
  }

  private static func runCodec(
    _ settings: CodecSettings, on console: Console,
    _ code: (Span<UInt8>, inout [UInt8]) throws(MeshError) -> Void
  ) throws -> ExitStatus {
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      var output = ByteOutput.standardOutput
      try InputLines.forEach(ofAll: settings.files, flushing: &output) { file, line, number, output in
        do throws(MeshError) {
          try code(line, &output.buffer)
          output.buffer.append(10)
        } catch {
          try output.flush()
          try badLines.leaveOut(line, because: Diagnostic(error, in: file, line: number))
        }
        try output.flushIfFull()
      }
      return .done
    }
  }

  /// Adds the sender to the messages of a link.
  static func runReceive(_ settings: ReceiveSettings, on console: Console) throws -> ExitStatus {
    guard let sender = settings.sender?.text ?? Environment.value("PEERLINK_PEER_ID") else {
      throw Diagnostic(
        .noConnectionFacts, "PEERLINK_PEER_ID is not set",
        hint: "run it as the command of peerlink, or use --from")
    }
    let from: JSONValue = ["id": .string(sender)]
    return try BadLines.collecting(settings, inputs: [], on: console) { badLines in
      var output = ByteOutput.standardOutput
      try InputLines.forEach(ofAll: [], flushing: &output) { file, line, number, output in
        do throws(MeshError) {
          let message = try MeshMessage.checked(line)
          output.buffer += "{\"event\":\"messageReceived\",\"from\":\(from.text),\"message\":".utf8
          output.buffer += message
          output.buffer += "}\n".utf8
        } catch {
          try badLines.leaveOut(line, because: Diagnostic(error, in: file, line: number))
        }
        try output.flush()
      }
      return .done
    }
  }
}
