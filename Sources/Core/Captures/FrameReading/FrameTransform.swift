package import JSONLines
package import SyncCore

/// Converts one stream of bytes to another, piece by piece, in either direction of framing.
package protocol FrameTransform: Sendable {
  /// Converts bytes from the front of `bytes`, and appends the result to `output`.
  ///
  /// The first byte is at stream offset `base`. It stops at the first failure, and once it has appended more
  /// than ``FrameStep/mostOutput``; call it again for the bytes after that. At the end, call it until all
  /// bytes are consumed.
  mutating func process(
    _ bytes: Span<UInt8>, at base: Int, isFinal: Bool, into output: inout [UInt8]
  ) -> FrameStep
}

/// The progress of a transform.
package struct FrameStep: Sendable {
  /// The output in bytes after which a step ends with the next frame or line.
  ///
  /// A few bytes can be a long message, so the sum of the messages in one window is not limited by its size.
  package static let mostOutput = 1 << 20

  /// The number of bytes that this step consumed; the next call starts after them.
  package var consumed: Int
  /// The number of bytes that another call needs to continue.
  package var wanted = 1
  /// The failure that ended this step early.
  package var failure: FrameFailure?
  /// The consumed bytes that produced neither a frame nor a line.
  ///
  /// These are the bytes of the failure, or bytes skipped after a reported failure.
  package var rejected = 0..<0
}

/// A part of a stream that could not be converted, and its place.
package struct FrameFailure: Explained, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    case framing(FrameError)
    case json(JSONError)
    case base64(Base64.Failure)
    case deflated(DeflatedPayload.Failure)
    /// An unchecked payload that contains a LF, or ends with a CR.
    case lineBreak
    /// Bytes that were skipped to find the next frame.
    case skipped
    /// Bytes that are missing in a capture.
    case gap
  }

  package var reason: Reason
  /// Stream offset of the frame's header, of the first byte skipped, or of the line.
  package var offset: Int
  /// The payload length if it is known, otherwise the number of affected bytes.
  package var length: Int
  /// The line, 1-based, if the stream consists of lines.
  package var line: Int?

  /// A gap in a capture, `length` bytes from `offset` on.
  package static func gap(at offset: Int, length: Int) -> FrameFailure {
    FrameFailure(reason: .gap, offset: offset, length: length)
  }

  package var code: ErrorCode {
    switch reason {
    case .framing(let error): error.code
    case .json(let error): error.code.errorCode
    case .base64: .invalidBase64
    case .deflated(.tooLarge): .frameTooLarge
    case .deflated: .invalidDeflate
    case .lineBreak: .lineBreakInPayload
    case .skipped: .skippedBytes
    case .gap: .missingBytes
    }
  }

  /// The error in words: lower-case, no final period.
  package var message: String {
    switch reason {
    case .framing(let error): error.message
    case .json(let error): error.message(in: line == nil ? "payload" : "line")
    case .base64(let error): "\(error.message) at byte \(error.offset + 1) of the line"
    case .deflated(let error): error.message
    case .lineBreak: "the payload has a line break"
    case .skipped:
      length == 1 ? "skipped 1 byte that is not a frame" : "skipped \(length) bytes that are not a frame"
    case .gap: length == 1 ? "1 byte is missing" : "\(length) bytes are missing"
    }
  }

  /// Whether the frames after the failure cannot be trusted.
  package var isFatal: Bool {
    if case .framing = reason { line == nil } else { false }
  }
}

/// The form of a payload on its line.
package enum PayloadForm: Sendable {
  /// A checked JSON value.
  case json
  /// An unchecked line.
  case unchecked
  /// The bytes of the payload in Base64.
  case base64
}

/// Converts a payload to a line.
package enum FramePayload {
  /// Appends a JSON payload as one line, without the final LF.
  ///
  /// Line breaks can appear only between JSON tokens, so removing them keeps the meaning. All other bytes are
  /// kept.
  package static func appendLine(
    _ text: Span<UInt8>, to line: inout [UInt8]
  ) throws(JSONError) {
    try JSONScanner.validate(text)
    if firstLineBreak(in: text) == nil {
      line.append(text)
    } else {
      for index in text.indices where text[index] != 10 && text[index] != 13 { line.append(text[index]) }
    }
  }

  /// Appends a payload unchecked; false if it does not fit on one line.
  ///
  /// A LF ends the line, and a CR at the end would not be part of the line.
  package static func appendUnchecked(_ text: Span<UInt8>, to line: inout [UInt8]) -> Bool {
    guard ByteSearch.firstIndex(of: 10, in: text, from: 0) == nil,
      text.isEmpty || text[text.count - 1] != 13
    else { return false }
    line.append(text)
    return true
  }

  private static func firstLineBreak(in text: Span<UInt8>) -> Int? {
    ByteSearch.firstIndex(of: 10, in: text, from: 0) ?? ByteSearch.firstIndex(of: 13, in: text, from: 0)
  }
}
