/// Finds frames in bytes that arrive in pieces, for apps that read a connection.
///
/// After an error the stream is unusable, because the start of the next frame is unknown.
public struct FrameStream: Sendable {
  private let decoder: FrameDecoder
  private var bytes: [UInt8] = []
  private var start = 0

  /// The default for the longest payload, in bytes.
  public static let defaultLimit = 16 << 20

  /// `limit` is the longest payload in bytes; a frame that announces more is refused at its header.
  public init(prefix: FramePrefix = .u32be, limit: Int = defaultLimit) {
    decoder = FrameDecoder(prefix: prefix, limit: limit)
  }

  /// Adds bytes that have arrived.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    if start > 0 {
      self.bytes.removeFirst(start)
      start = 0
    }
    self.bytes.append(contentsOf: bytes)
  }

  /// The payload of the next complete frame; nil until more bytes arrive.
  ///
  /// - Throws: ``FrameError`` for an invalid header, or a payload above the limit.
  public mutating func next() throws(FrameError) -> [UInt8]? {
    guard let frame = try decoder.next(in: bytes.span, from: start) else { return nil }
    start = frame.end
    return Array(bytes[frame.payload])
  }

  /// Checks that the stream does not end inside a frame.
  ///
  /// - Throws: ``FrameError`` with the number of missing bytes.
  public func finish() throws(FrameError) {
    if let error = decoder.truncation(in: bytes.span, from: start) { throw error }
  }

  /// A payload with its header, in the form that ``FrameStream`` reads.
  ///
  /// - Throws: ``FrameError/tooLarge(length:limit:)`` if the prefix cannot express the length.
  public static func frame(_ payload: [UInt8], prefix: FramePrefix = .u32be) throws(FrameError) -> [UInt8] {
    guard UInt64(payload.count) <= prefix.capacity else {
      throw .tooLarge(length: UInt64(payload.count), limit: Int(prefix.capacity))
    }
    var frame: [UInt8] = []
    frame.reserveCapacity(payload.count + 24)
    prefix.appendHeader(length: payload.count, to: &frame)
    frame += payload
    if let trailer = prefix.trailer { frame.append(trailer) }
    return frame
  }
}
