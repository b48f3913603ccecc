import Captures
import JSONLines
import SyncCore
import TestSupport
import Testing

/// Frames in streams of a capture.
@Suite struct StreamFramesTests {
  private static func frame(_ text: String) -> [UInt8] {
    [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  private static func line(_ offset: Int, _ content: StreamLine.Content, stream: Int = 0) -> StreamLine {
    StreamLine(
      direction: .init(stream: stream, from: Array("a:1".utf8), to: Array("b:2".utf8)), time: Array("t".utf8),
      offset: offset, content: content)
  }

  private static func decode(_ lines: [StreamLine], annotates: Bool = false) -> (
    text: String, faults: [String]
  ) {
    var options = FrameReader.Options()
    options.annotates = annotates
    var frames = StreamFrames(FrameDecoder(prefix: .u32be, limit: 1_000), options)
    var (output, faults): ([UInt8], [StreamFrames.Failure]) = ([], [])
    var codes: [String] = []
    for line in lines {
      do {
        faults = try frames.add(line, into: &output)
      } catch let error as MemberError {
        codes.append(error.code.rawValue)
      } catch {
        Issue.record(error)
      }
      codes += faults.compactMap { $0.failure?.code.rawValue }
      faults = []
    }
    codes += ((try? frames.finish(into: &output)) ?? []).compactMap { $0.failure?.code.rawValue }
    return (String(decoding: output, as: UTF8.self), codes)
  }

  private static let bytes = frame("{\"a\":1}") + frame("[2]") + frame("{\"b\":\"longer\"}")
  private static let text = "{\"a\":1}\n[2]\n{\"b\":\"longer\"}\n"

  @Test func everyCutGivesTheSameMessages() {
    for first in 0...Self.bytes.count {
      for second in first...Self.bytes.count {
        let lines = [0..<first, first..<second, second..<Self.bytes.count].map {
          Self.line($0.lowerBound, .data(Array(Self.bytes[$0])))
        }
        #expect(Self.decode(lines) == (Self.text, []), "\(first) \(second)")
      }
    }
  }

  @Test func streamsInterleave() {
    var lines: [StreamLine] = []
    for (offset, byte) in Self.bytes.enumerated() {
      lines += [0, 1].map { Self.line(offset, .data([byte]), stream: $0) }
    }
    let outcome = Self.decode(lines)
    #expect(outcome.text == Self.text.split(separator: "\n").map { "\($0)\n\($0)\n" }.joined())
  }

  /// Incomplete frames take at most their memory; each dropped one is reported once.
  @Test func memoryIsBounded() throws {
    var frames = StreamFrames(
      FrameDecoder(prefix: .u32be, limit: 1 << 20), FrameReader.Options(), memory: 1 << 20)
    var (output, faults): ([UInt8], [StreamFrames.Failure]) = ([], [])
    let begin: [UInt8] = [0, 0, 0xFF, 0xFF] + [UInt8](repeating: 0x20, count: 2_000)
    for stream in 0..<5_000 {
      faults += try frames.add(Self.line(0, .data(begin), stream: stream), into: &output)
    }
    #expect(!faults.contains { !$0.isForgotten })
    let cut = faults.filter { $0.failure?.code == .truncatedPayload }
    let streams = Set(cut.map(\.direction.stream))
    #expect(cut.count > 4_000 && streams.count == cut.count)
    // A direction that was given up goes on with the next frame, and the latest is whole.
    let message = Self.frame("{\"a\":1}")
    faults = try frames.add(Self.line(2_004, .data([0x20] + message), stream: 0), into: &output)
    let rest = [UInt8](repeating: 0x20, count: 0xFFFF - 2_001) + [0x31]
    faults += try frames.add(Self.line(2_004, .data(rest), stream: 4_999), into: &output)
    #expect(String(decoding: output, as: UTF8.self).hasPrefix("{\"a\":1}\n") && output.count > 8)
    #expect(!faults.contains { $0.isForgotten })
  }

  /// The messages of one line are passed on in pieces.
  @Test func longOutputIsDrained() throws {
    let message = "[\"" + String(repeating: "x", count: 60_000) + "\"]"
    let length = message.utf8.count
    let frame: [UInt8] = [0, 0, UInt8(length >> 8), UInt8(length & 0xFF)] + Array(message.utf8)
    let line = Self.line(0, .data(Array(repeatElement(frame, count: 80).joined())))
    var frames = StreamFrames(FrameDecoder(prefix: .u32be, limit: 1 << 16), FrameReader.Options())
    var (output, sizes): ([UInt8], [Int]) = ([], [])
    let faults = try frames.add(line, into: &output) { piece in
      sizes.append(piece.count)
      piece.removeAll()
    }
    #expect(faults.isEmpty && sizes.count > 2 && !sizes.contains { $0 > FrameStep.mostOutput + frame.count })
    #expect(sizes.reduce(output.count, +) == 80 * (length + 1))
  }

  /// A gap anywhere costs the frames that it is in, and no other.
  @Test func everyGapCostsItsFramesAlone() {
    let bytes = Self.bytes + Self.bytes
    var ends: [Int] = []
    for size in [11, 7, 18, 11, 7, 18] { ends.append((ends.last ?? 0) + size) }
    for start in bytes.indices {
      for end in start + 1...bytes.count {
        let lines = [
          Self.line(0, .data(Array(bytes[..<start]))), Self.line(start, .gap(end - start)),
          Self.line(end, .data(Array(bytes[end...]))),
        ]
        let whole = zip([0] + ends, ends).filter { $1 <= start || $0 >= end }.count
        let outcome = Self.decode(lines)
        #expect(outcome.text.split(separator: "\n").count == whole, "\(start)..<\(end)")
        #expect(outcome.faults.contains("missingBytes"))
      }
    }
  }

  @Test func envelopesNameTheStream() {
    let outcome = Self.decode(
      [Self.line(5, .data(Self.frame("[2]")), stream: 3), Self.line(12, .gap(2), stream: 3)], annotates: true)
    #expect(
      outcome.text == """
        {"stream":3,"from":"a:1","to":"b:2","at":"t","offset":5,"length":3,"message":[2]}
        {"stream":3,"from":"a:1","to":"b:2","at":"t","offset":12,"length":2,"error":{"code":"missingBytes","message":"2 bytes are missing"}}

        """)
  }

  @Test func whatEndsInsideAFrame() {
    #expect(
      Self.decode([Self.line(0, .data(Array(Self.bytes.dropLast())))]).faults == [
        "truncatedPayload", "skippedBytes",
      ])
  }

  /// The lines of another capture follow, in which the stream begins anew.
  @Test func offsetsThatGoBackBeginAnew() {
    let piece = Self.line(0, .data(Self.bytes))
    #expect(Self.decode([piece, piece]) == (Self.text + Self.text, []))
    let cut = Self.line(0, .data(Array(Self.bytes.dropLast())))
    #expect(Self.decode([cut, piece]).faults == ["truncatedPayload", "skippedBytes"])
  }

  /// The rest of a direction is read as if the line were not there.
  @Test(arguments: [(1, []), (11, frame("[3]")), (17, [0])])
  func bytesThatComeAgainAreRefused(offset: Int, bytes: [UInt8]) {
    let (first, rest) = (Array(Self.bytes[..<18]), Array(Self.bytes[18...]))
    let outcome = Self.decode([
      Self.line(0, .data(first)), Self.line(offset, .data(bytes)), Self.line(18, .data(rest)),
    ])
    #expect(outcome == (Self.text, ["overlappingBytes"]))
  }

  /// A hole between two frames is a gap as one within a frame is.
  @Test(arguments: 1..<36) func holesAreGaps(start: Int) {
    let lines = [Self.line(0, .data(Array(Self.bytes[..<start]))), Self.line(36, .data(Self.frame("[5]")))]
    let outcome = Self.decode(lines)
    #expect(outcome.text.hasSuffix("[5]\n"))
    #expect(outcome.faults.filter { $0 == "missingBytes" }.count == 1)
  }

  /// Of streams that are between two frames the oldest are forgotten: these may go on anywhere.
  @Test func offsetsAreForgottenToo() throws {
    var frames = StreamFrames(
      FrameDecoder(prefix: .u32be, limit: 1_000), FrameReader.Options(), memory: 1 << 20)
    var output: [UInt8] = []
    for stream in 0..<5_000 {
      let faults = try frames.add(Self.line(0, .data(Self.frame("[1]")), stream: stream), into: &output)
      #expect(faults.isEmpty)
    }
    #expect(try frames.add(Self.line(90, .data(Self.frame("[2]")), stream: 0), into: &output).isEmpty)
    #expect(try frames.add(Self.line(90, .data(Self.frame("[2]")), stream: 4_999), into: &output).count == 1)
  }

  @Test(arguments: [
    "{\"stream\":1,\"from\":\"a\",\"to\":\"b\",\"at\":\"t\",\"offset\":0,\"gap\":2,\"data\":\"\"}",
    "{}", "[]", "{\"stream\":-1,\"from\":\"a\",\"to\":\"b\",\"at\":\"t\",\"offset\":0,\"data\":\"\"}",
    "{\"stream\":1,\"from\":\"a\",\"to\":\"b\",\"at\":\"t\",\"offset\":1e30,\"data\":\"\"}",
    "{\"stream\":1,\"from\":\"a\",\"to\":\"b\",\"at\":\"t\",\"offset\":0,\"data\":\"?\"}",
    "{\"stream\":1,\"from\":\"a\",\"to\":\"b\",\"at\":\"t\",\"offset\":0}",
    "{\"datagram\":1,\"from\":\"a\",\"to\":\"b\",\"at\":\"t\",\"data\":\"\"}", "{\"stream\":1",
  ])
  func linesThatAreNone(text: String) {
    #expect((try? StreamLine(Array(text.utf8).span)) == nil)
  }
}
