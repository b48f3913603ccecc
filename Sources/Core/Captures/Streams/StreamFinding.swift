package import JSONLines

/// A fault of a stream other than its gaps, which are in the output.
package enum StreamFinding: Explained, Equatable, Sendable {
  /// This many bytes were repeated with other values; the first ones were kept.
  case overlap(StreamName, offset: Int, count: Int)
  /// Bytes of a gap that arrived after the gap was reported.
  case late(StreamName, offset: Int, count: Int)
  /// Bytes before the first captured byte of the stream.
  case early(StreamName, count: Int)
  /// A segment outside every possible window.
  case stray(StreamName)
  /// The stream was forgotten to save memory.
  case evicted(StreamName)

  var stream: StreamName {
    switch self {
    case .overlap(let name, _, _), .late(let name, _, _), .early(let name, _), .stray(let name),
      .evicted(let name):
      name
    }
  }

  package var code: ErrorCode {
    switch self {
    case .overlap: .overlappingBytes
    case .late, .early, .stray: .strayBytes
    case .evicted: .streamEvicted
    }
  }

  /// The error in words: lower-case, no final period.
  package var message: String {
    switch self {
    case .overlap(let name, let offset, let count):
      "\(name.text): offset \(offset): \(Self.bytes(count)) repeated with another value; the first is kept"
    case .late(let name, let offset, let count):
      "\(name.text): offset \(offset): \(Self.bytes(count)) arrived after their gap was reported"
    case .early(let name, let count):
      "\(name.text): left out \(Self.bytes(count)) before the first packet of the stream"
    case .stray(let name): "\(name.text): left out a segment outside every window"
    case .evicted(let name): "\(name.text): dropped to save memory; the rest of the stream has another number"
    }
  }

  package var remedy: String? {
    if case .evicted = self { "raise --memory, or read fewer streams with a filter" } else { nil }
  }

  private static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}

/// The name of one direction of a stream, for people and in lines.
package struct StreamName: Equatable, Sendable {
  /// Streams are numbered from 0 in the order in which they appear, as in Wireshark.
  package var number: Int
  package var from: Endpoint
  package var to: Endpoint

  /// `stream 3, 10.0.0.2:51000 to 10.0.0.3:27421`.
  package var text: String { "stream \(number), \(from.text) to \(to.text)" }
}
