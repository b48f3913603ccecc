import JSONLines
package import SyncCore

/// The filter for bytes between two sides that do not trust each other yet; it passes only pairing messages.
///
/// Only complete frames pass. The filter checks only the type of a message; the pairing checks the rest.
package struct PairingGate: Sendable {
  /// Whether a complete `pairHello` of the connecting side has passed.
  package private(set) var hasHello = false
  /// Whether the listening side sent `pairConfirm`, which it sends only after a right proof.
  package private(set) var isProven = false
  private let decoder: FrameDecoder

  /// The longest message, in bytes.
  package static let limit = 8 << 10
  private static let types: Set<String> = ["pairHello", "pairConfirm", "pairDone", "ack", "error"]

  private let version: ProtocolVersion

  package init(_ version: ProtocolVersion = .two) {
    self.version = version
    decoder = FrameDecoder(prefix: .u32be, limit: Self.limit)
  }

  /// The number of bytes at the front of `bytes` that may pass: complete frames.
  package mutating func pass(_ bytes: Span<UInt8>, fromListener: Bool) throws(PairingGateError) -> Int {
    var end = 0
    while let frame = try next(in: bytes, from: end) {
      try check(bytes.extracting(frame.payload), fromListener)
      end = frame.end
    }
    return end
  }

  private func next(
    in bytes: Span<UInt8>, from start: Int
  ) throws(PairingGateError) -> FrameDecoder.Frame? {
    do throws(FrameError) {
      return try decoder.next(in: bytes, from: start)
    } catch {
      if let reason = FirstMessage.foreignness(of: bytes.extracting(start...)) { throw .foreign(reason) }
      throw .frameTooLarge(limit: Self.limit)
    }
  }

  private mutating func check(_ payload: Span<UInt8>, _ fromListener: Bool) throws(PairingGateError) {
    guard let message = try? JSONValue(parsing: payload) else { throw .noMessage }
    let type = message["type"]?.stringValue
    // The version is checked here only if a message may not pass; otherwise the pairing checks it.
    guard let type, mayPass(type, fromListener) else {
      if let other = message["protocolVersion"]?.text, other != "\(version.rawValue)" {
        throw .otherVersion(other, id: Self.id(of: message))
      }
      guard let type else { throw .noMessage }
      throw .notPairing(type: type, id: Self.id(of: message))
    }
    if type == "pairHello" { hasHello = true }
    if type == "pairConfirm" { isProven = true }
  }

  /// Whether a message of this type may pass; the first one must be a `pairHello`.
  private func mayPass(_ type: String, _ fromListener: Bool) -> Bool {
    Self.types.contains(type) && (hasHello || type == "pairHello")
      && type != (fromListener ? "pairHello" : "pairConfirm")
  }

  private static func id(of message: JSONValue) -> UUIDText? {
    message["id"]?.stringValue.flatMap { UUIDText($0) }
  }
}

/// Why bytes may not pass between sides that do not trust each other yet.
package enum PairingGateError: Error, Equatable, Sendable {
  case frameTooLarge(limit: Int)
  /// Bytes of another protocol, with its name.
  case foreign(String)
  case noMessage
  /// `id` is the id of the message, if known.
  case notPairing(type: String, id: UUIDText? = nil)
  /// A message of another version, with the version as written.
  case otherVersion(String, id: UUIDText? = nil)

  /// The error in words: lower-case, no final period.
  package var message: String {
    switch self {
    case .foreign(let reason): reason
    case .frameTooLarge(let limit): "a frame of more than \(limit) bytes before pairing is done"
    case .noMessage: "a frame without a message before pairing is done"
    case .notPairing(let type, _): "unexpected '\(type.shown)' in a pairing"
    case .otherVersion(let version, _): MessageError.incompatibleProtocolVersion(version).message
    }
  }

  /// The id of the rejected message, if known.
  package var question: UUIDText? {
    switch self {
    case .notPairing(_, let id), .otherVersion(_, let id): id
    case .frameTooLarge, .foreign, .noMessage: nil
    }
  }

  /// The error to send, as ``PairingTable`` defines it; nil if an error must not be sent.
  package var answer: PeerErrorCode? {
    switch self {
    case .frameTooLarge: .frameTooLarge
    case .noMessage: nil
    case .otherVersion, .foreign: .incompatibleProtocolVersion
    case .notPairing(let type, _):
      switch Message.Kind(rawValue: type) {
      case .syncRequest, .syncResponse: .untrustedPeer
      case .pairHello, .pairConfirm, .pairDone, .ack: .invalidPairingSession
      // Errors, and bytes that are not a message, are not answered with an error.
      case .error, nil: nil
      }
    }
  }
}
