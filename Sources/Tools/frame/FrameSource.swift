import Captures
import CommandLine
import JSONLines
import SyncCore
import SystemIO

/// A file of frames, decoded from hex or Base64.
struct FrameSource: ~Copyable {
  private var input: ByteInput
  private let form: FrameTool.StreamForm
  private var text: ByteWindow
  private var hex = HexText()
  private var base64 = Base64.Decoder()
  private var lines = LineCursor()
  /// The error in the text after the bytes that have already been returned.
  private var failure: Diagnostic?

  var name: String { input.name }

  init(_ path: String, form: FrameTool.StreamForm) throws(SystemError) {
    input = try ByteInput(opening: path)
    self.form = form
    text = form == .raw ? ByteWindow(capacity: 0) : ByteWindow()
  }

  /// Appends bytes to the window; 0 is the end.
  mutating func read(into window: inout ByteWindow, flushing output: inout ByteOutput) throws -> Int {
    guard form != .raw else { return try input.read(into: &window, flushing: &output) }
    while true {
      if let failure { throw failure }
      let isFinal = try input.read(into: &text, flushing: &output) == 0
      var bytes: [UInt8] = []
      do throws(Diagnostic) {
        try decodeLines(isFinal: isFinal, into: &bytes)
      } catch {
        failure = error
      }
      window.append(bytes)
      if isFinal && failure == nil || !bytes.isEmpty { return bytes.count }
    }
  }

  private mutating func decodeLines(isFinal: Bool, into bytes: inout [UInt8]) throws(Diagnostic) {
    let (storage, range) = (text.storage, text.range)
    let unread = storage.span.extracting(range)
    while let line = lines.next(in: unread, final: isFinal) {
      try decode(unread.extracting(line.content), line.number, into: &bytes)
    }
    text.consume(lines.position)
    lines.drop(lines.position)
    if text.count > LineCursor.longestLine { throw .longLine(in: name, line: lines.nextNumber) }
    if isFinal, form == .base64 { try base64End(into: &bytes) }
  }

  private mutating func decode(
    _ text: Span<UInt8>, _ number: Int, into bytes: inout [UInt8]
  ) throws(Diagnostic) {
    if form == .hex {
      do throws(HexText.Failure) {
        try hex.decode(text, into: &bytes)
      } catch {
        throw Diagnostic(
          .invalidHex, "\(error.message) at byte \(error.column + 1)", file: name, line: number,
          hint: error.hint
        )
        .hinting(at: text)
      }
    } else {
      do throws(Base64.Failure) {
        try base64.decode(text, into: &bytes)
      } catch {
        throw Diagnostic(.invalidBase64, error.message, file: name, line: number).hinting(at: text)
      }
    }
  }

  private mutating func base64End(into bytes: inout [UInt8]) throws(Diagnostic) {
    do throws(Base64.Failure) {
      try base64.finish(into: &bytes)
    } catch {
      throw Diagnostic(.invalidBase64, error.message, file: name, line: lines.nextNumber - 1)
    }
  }
}

extension Diagnostic {
  init(_ failure: FrameFailure, in file: String) {
    self.init(
      failure.code, failure.message, file: file, line: failure.line,
      offset: failure.offset, hint: failure.remedy)
  }
}

extension Diagnostic {
  /// The diagnostic for JSON text in place of frames; nil for other bytes.
  ///
  /// The first bytes of the text were read as a length.
  init?(_ failure: FrameFailure, of bytes: Span<UInt8>, in file: String) {
    guard case .framing = failure.reason, failure.offset == 0, failure.line == nil, bytes.count > 1,
      bytes[0] == UInt8(ascii: "{") && [UInt8(ascii: "\""), 10, 13, 32, 9].contains(bytes[1])
        || bytes[0] == UInt8(ascii: "[") && [UInt8(ascii: "{"), 10, 13].contains(bytes[1])
    else { return nil }
    let begin = Array("{\"stream\":".utf8)
    let isStream = bytes.count >= begin.count && begin.indices.allSatisfy { bytes[$0] == begin[$0] }
    self.init(
      .invalidHeader, "this is JSON text, not frames", file: file, offset: 0,
      hint: isStream
        ? "read lines of pcapstream with --input streams"
        : "frame encode turns lines into frames, and frame check reads messages as lines")
  }
}

extension FrameFailure {
  fileprivate var remedy: String? {
    switch reason {
    case .framing(.tooLarge(length: nil, limit: LineCursor.longestLine)):
      "shorten the line; at most 64 MiB are accepted"
    // This length is the beginning of a TLS handshake record (RFC 8446 §5.1), read as u32be.
    case .framing(.tooLarge(length: let length?, _)) where length >> 16 == 0x1603:
      "these bytes are TLS: with --trace, peersync run and peerlink write the messages inside it"
    case .framing(.tooLarge): "raise --max-size, or check --prefix"
    case .framing(.invalidHeader): "check --prefix; --resync continues at the next plausible frame"
    // The first frame seems empty if its header is longer than that of --prefix.
    case .json where offset == 0 && length == 0: "check --prefix"
    case .lineBreak: "use --output base64, or leave out --no-check"
    default: nil
    }
  }
}
