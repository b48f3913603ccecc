import Captures
import JSONLines
package import SyncCore

/// Received messages, and messages to send, each as a frame.
package struct FrameExchange {
  private let decoder: FrameDecoder
  /// The only accepted version; nil for any.
  package var version: ProtocolVersion?
  /// Whether deflated payloads are accepted, and whether to deflate ours.
  package var inflates = false
  package var deflates = false
  /// Whether zlib is available.
  package static var canDeflate: Bool { DeflatedPayload.isAvailable }
  private var incoming: [UInt8] = []
  private var read = 0
  private(set) var outgoing: [UInt8] = []
  private var taken = 0
  /// The length of the newest frame to send.
  private var newest = 0

  /// The content of a frame.
  package enum Heard: Sendable {
    case message(Message)
    case unreadable(MessageError)
  }

  /// `limit` is the longest accepted message, in bytes.
  package init(limit: Int) { decoder = FrameDecoder(prefix: .u32be, limit: limit) }

  // MARK: In

  package mutating func append(_ bytes: Span<UInt8>) { incoming.append(bytes) }

  /// The content of the next complete frame; nil if none is complete yet.
  package mutating func next() -> Heard? {
    // Use a second reference: the span of a property cannot be read while the object changes.
    let bytes = incoming
    let frame: FrameDecoder.Frame
    do throws(FrameError) {
      guard let next = try decoder.next(in: bytes.span, from: read) else { return nil }
      frame = next
    } catch {
      return .unreadable(.tooLarge(limit: decoder.limit))
    }
    read = frame.end
    defer { forgetRead() }
    do throws(MessageError) {
      let payload = bytes.span.extracting(frame.payload)
      guard DeflatedPayload.isPacked(payload) else {
        return .message(try Message(receiving: payload, over: version))
      }
      let message = try inflated(payload)
      return .message(try Message(receiving: message.span, over: version))
    } catch {
      return .unreadable(error)
    }
  }

  private func inflated(_ payload: Span<UInt8>) throws(MessageError) -> [UInt8] {
    guard inflates else { throw .deflated("a deflated message that was not requested") }
    do throws(DeflatedPayload.Failure) {
      return try DeflatedPayload.unpackFast(payload, limit: decoder.limit)
    } catch {
      if case .tooLarge(_, let limit) = error { throw .tooLarge(limit: limit) }
      throw .deflated(error.message)
    }
  }

  /// Whether a part of a frame has arrived, but not all of it.
  package var isInFrame: Bool { read < incoming.count }

  private mutating func forgetRead() {
    if read == incoming.count {
      // Release the memory, because hours may pass between two pages.
      incoming = []
    } else {
      incoming.removeFirst(read)
    }
    read = 0
  }

  // MARK: Out

  package mutating func send(_ message: Message) {
    let whole = message.line
    let line = deflates ? DeflatedPayload.pack(whole) ?? whole : whole
    let before = outgoing.count
    decoder.prefix.appendHeader(length: line.count, to: &outgoing)
    outgoing += line
    newest = outgoing.count - before
  }

  package var hasOutput: Bool { taken < outgoing.count }

  /// Whether too much output waits: the other side should read it before more is added.
  ///
  /// The newest frame does not count: in version 1 both sides may send one long answer at the same time, and each must
  /// still read the other side's answer.
  package var isFull: Bool { outgoing.count - taken - newest > Self.mostOutput }

  /// The limit of waiting output in bytes: the size of all pages that may be sent without an ack.
  private static let mostOutput = DialogueSettings.loopWindow * DialogueSettings.loopPage
  /// The number of taken bytes after which their memory is freed; with a slow reader, some output always
  /// waits.
  static let mostTaken = 1 << 20

  /// The next bytes to send, at most `limit`.
  package mutating func take(_ limit: Int) -> [UInt8] {
    let end = min(outgoing.count, taken + limit)
    let bytes = Array(outgoing[taken..<end])
    taken = end
    if taken == outgoing.count {
      (outgoing, taken) = ([], 0)
    } else if taken >= Self.mostTaken {
      outgoing.removeFirst(taken)
      taken = 0
    }
    return bytes
  }
}
