import Captures
import JSONLines
import SyncCore
import TestSupport
import Testing

/// However a stream is cut into reads, the output is the same.
@Suite struct FrameCutTests {
  private static let text = Array("{\"a\":1}\n[]\n\"é\"\n".utf8)

  @Test(arguments: FramePrefix.allCases)
  func everyCutGivesTheSameLines(prefix: FramePrefix) {
    let stream = Feed.encode(prefix, [Self.text]).output
    for pieces in Cuts.inThree(stream) {
      let feed = Feed.decode(prefix, pieces)
      #expect(feed.output == Self.text && feed.failures.isEmpty, "\(pieces.map(\.hex))")
    }
  }

  @Test(arguments: FramePrefix.allCases)
  func everyCutGivesTheSameFrames(prefix: FramePrefix) {
    let stream = Feed.encode(prefix, [Self.text]).output
    for pieces in Cuts.inThree(Self.text) {
      #expect(Feed.encode(prefix, pieces).output == stream, "\(pieces.map(\.hex))")
    }
  }

  /// One call has a limited output, however many frames or lines are there; the next calls have the rest.
  @Test func longOutputTakesSeveralCalls() {
    let line = "\"" + String(repeating: "x", count: 100_000) + "\"\n"
    let lines = Array(String(repeating: line, count: 30).utf8)
    let frames = Feed.encode(.u32be, [lines]).output
    var reader = FrameReader(FrameDecoder(prefix: .u32be, limit: 1 << 20), .init())
    var writer = FrameWriter(prefix: .u32be, limit: 1 << 20, form: .json)
    for isFinal in [false, true] {
      var output: [UInt8] = []
      let read = reader.process(frames.span, at: 0, isFinal: isFinal, into: &output)
      #expect(output.count < FrameStep.mostOutput + 100_010)
      #expect(read.consumed < frames.count && read.wanted == 1 && read.failure == nil)
      output = []
      let written = writer.process(lines.span, at: 0, isFinal: isFinal, into: &output)
      #expect(output.count < FrameStep.mostOutput + 100_010 && written.consumed < lines.count)
    }
    #expect(Feed.decode(.u32be, [frames]).output == lines)
  }

  @Test(arguments: FramePrefix.allCases)
  func aFrameComesOutWithItsLastByte(prefix: FramePrefix) {
    let stream = Feed.encode(prefix, [Self.text]).output
    var reader = FrameReader(FrameDecoder(prefix: prefix, limit: 100), .init())
    var (window, output): ([UInt8], [UInt8]) = ([], [])
    var lines: [Int] = []
    for (index, byte) in stream.enumerated() {
      window.append(byte)
      let step = reader.process(window.span, at: 0, isFinal: false, into: &output)
      if step.consumed > 0 { lines.append(index + 1) }
      window.removeFirst(step.consumed)
    }
    let ends = ["{\"a\":1}\n", "{\"a\":1}\n[]\n"].map { Feed.encode(prefix, [Array($0.utf8)]).output.count }
    #expect(lines == ends + [stream.count])
    #expect(output == Self.text)
  }

  /// Bad lines of every kind between good ones; a length that is only estimated may differ.
  @Test(arguments: [PayloadForm.json, .unchecked, .base64])
  func everyCutRejectsTheSameLines(form: PayloadForm) {
    let text = Array("bm8=\nW10=\nAAAAAAAA\r\n[\"long line\"]\n[]\n\"\n {} \r\n1".utf8)
    let whole = Feed.encode(.u16be, [text], limit: 4, form)
    #expect(whole.failures.count >= 1)
    for pieces in Cuts.inThree(text) {
      let feed = Feed.encode(.u16be, pieces, limit: 4, form)
      #expect(feed.output == whole.output, "\(pieces.map(\.hex))")
      #expect(feed.failures.map(\.code) == whole.failures.map(\.code), "\(pieces.map(\.hex))")
      #expect(feed.failures.map(\.line) == whole.failures.map(\.line), "\(pieces.map(\.hex))")
      #expect(feed.failures.map(\.offset) == whole.failures.map(\.offset), "\(pieces.map(\.hex))")
      #expect(feed.rejected == whole.rejected, "\(pieces.map(\.hex))")
    }
  }

  @Test(arguments: [PayloadForm.json, .base64])
  func blanksMakeALineTooLongHoweverItComes(form: PayloadForm) {
    let text = [UInt8](repeating: 32, count: 5_000) + Array("W10=\n".utf8)
    let whole = Feed.encode(.u16be, [text], limit: 8, form)
    let cut = Feed.encode(.u16be, [Array(text[..<4_000]), Array(text[4_000...])], limit: 8, form)
    #expect(whole.failures.map(\.code) == [.frameTooLarge])
    #expect(cut.failures.map(\.code) == [.frameTooLarge])
    #expect(whole.rejected == text && cut.rejected == text)
  }
}
