package import JSONLines
package import SyncCore

/// The place of a message in a conversation, as its envelope states it.
package struct MessagePlace: Equatable, Sendable {
  /// The offset of the frame that contained the message.
  package var offset: Int?
  /// The length of the message, in bytes.
  package var length: Int?
  /// The number of its stream.
  package var stream: Int?
  /// The time of capture; without an envelope, the sending time in the message.
  package var time: Instant?
  /// The addresses of its sender and its receiver.
  package var from: String?
  package var to: String?
  /// Whether the writer of a trace sent or received the message.
  package var direction: Direction?

  package enum Direction: String, Sendable { case sent, received }

  package init(offset: Int? = nil, length: Int? = nil, stream: Int? = nil) {
    (self.offset, self.length, self.stream) = (offset, length, stream)
  }
}

/// A message on a line, with or without the envelope of `frame decode --annotate`.
package struct ConversationLine: Equatable, Sendable {
  /// The range of the message in the line.
  package var message: Range<Int>
  package var place = MessagePlace()

  /// Finds the message; it must have a type, and its other members are ignored.
  package init(_ line: Span<UInt8>) throws(Failure) {
    do throws(JSONError) {
      try JSONScanner.validate(line)
    } catch {
      throw .json(error)
    }
    message = line.onlyValue
    guard line.isObject(message) else { throw .noMessage("not a JSON object") }
    if let envelope = try Envelope(line, message) { (message, place) = (envelope.message, envelope.place) }
    guard let members = try? MessageMembers(line, message), members.has(.type) else {
      throw .noMessage("not a message: it has no type")
    }
    if place.time == nil {
      place.time = (try? members.find(.sentAt, in: line)).flatMap { Self.time(line, $0) }
    }
  }

  /// The place of a message, or of bytes that are not a message; nil if the line has neither.
  package static func place(of line: Span<UInt8>) -> MessagePlace? {
    do throws(Failure) {
      return try Self(line).place
    } catch {
      if case .lost(let place, _) = error { return place }
      return nil
    }
  }

  private static func time(_ line: Span<UInt8>, _ raw: Range<Int>) -> Instant? {
    line.isString(raw) ? Instant(rfc3339: line.extracting(line.content(raw))) : nil
  }

  /// Why a line is not a message.
  package enum Failure: Error, Equatable, Sendable {
    case json(JSONError)
    case noMessage(String)
    /// The envelope of bytes that are not a message.
    case lost(MessagePlace, LostBytes)
  }

  /// Why bytes are not a message, according to an envelope; empty without a reason.
  package struct LostBytes: Equatable, Sendable {
    package var code = ""
    /// The reason in words.
    package var reason = ""

    package init(code: String = "", reason: String = "") { (self.code, self.reason) = (code, reason) }

    /// Whether the bytes are missing from the capture; more bytes may be missing at the same place.
    package var isGap: Bool { code == "missingBytes" }
  }

  /// The members of an envelope, which a message itself does not have.
  private struct Envelope {
    var message: Range<Int>
    var place = MessagePlace()

    init?(_ line: Span<UInt8>, _ raw: Range<Int>) throws(Failure) {
      let values = Self.members(of: raw, in: line)
      guard values["type"] == nil, let length = values["length"], line.isNumber(length) else { return nil }
      place.offset = Self.number(values["offset"], line)
      place.length = Self.number(length, line)
      place.stream = Self.number(values["stream"], line)
      place.time = values["at"].flatMap { ConversationLine.time(line, $0) }
      place.from = Self.text(values["from"], line)
      place.to = Self.text(values["to"], line)
      place.direction = Self.text(values["direction"], line).flatMap { MessagePlace.Direction(rawValue: $0) }
      if let error = values["error"] { throw .lost(place, Self.lostBytes(error, line)) }
      guard let message = values["message"] else {
        throw .noMessage("an envelope without its message: decode the frames without --output base64")
      }
      self.message = message
    }

    private static func lostBytes(_ error: Range<Int>, _ line: Span<UInt8>) -> LostBytes {
      guard line.isObject(error) else { return LostBytes() }
      let values = members(of: error, in: line)
      return LostBytes(
        code: text(values["code"], line) ?? "", reason: (text(values["message"], line) ?? "").shown(upTo: 200)
      )
    }

    private static func members(of object: Range<Int>, in line: Span<UInt8>) -> [String: Range<Int>] {
      var values: [String: Range<Int>] = [:]
      line.forEachMember(of: object) { values[$0] = $1 }
      return values
    }

    private static func number(_ raw: Range<Int>?, _ line: Span<UInt8>) -> Int? {
      guard let raw, line.isNumber(raw) else { return nil }
      return (try? WireNumber.integer(line, raw, .int64)).map { Int($0) }
    }

    private static func text(_ raw: Range<Int>?, _ line: Span<UInt8>) -> String? {
      guard let raw, line.isString(raw) else { return nil }
      return JSONString.decoded(line, line.content(raw))
    }
  }
}
