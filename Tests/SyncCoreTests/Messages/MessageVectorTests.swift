import JSONLines
import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/messages.json.
struct MessageVector: Decodable, CustomTestStringConvertible {
  var name: String
  var text: String
  /// The written form of the same message.
  var written: String?
  var error: String?

  var testDescription: String { name }
  var bytes: [UInt8] { Array(text.utf8) }

  static let all: [MessageVector] = VectorFile.load("messages")
  static let valid = all.filter { $0.error == nil }
}

@Suite struct MessageVectorTests {
  /// The code of the error, or the written form of the message.
  private func outcome(_ bytes: [UInt8]) -> (error: String?, written: String?) {
    do throws(MessageError) {
      return (nil, String(decoding: try Message(parsing: bytes.span).line, as: UTF8.self))
    } catch {
      return (error.name, nil)
    }
  }

  @Test(arguments: MessageVector.all)
  func reads(_ vector: MessageVector) {
    let outcome = outcome(vector.bytes)
    #expect(outcome.error == vector.error)
    #expect(outcome.written == vector.written)
  }

  @Test(arguments: MessageVector.valid)
  func whatIsWrittenIsReadTheSame(_ vector: MessageVector) throws {
    let message = try Message(parsing: vector.bytes.span)
    let again = try Message(parsing: message.line.span)
    #expect(again.line == message.line)
    // Version 1 has whole seconds.
    if message.version == .two { #expect(again == message) }
  }

  @Test(arguments: MessageVector.valid)
  func everyTruncationIsNoMessage(_ vector: MessageVector) {
    for count in vector.bytes.indices {
      #expect(outcome(Array(vector.bytes[..<count])).error == "unexpectedEnd")
    }
  }

  /// A flipped bit makes another message or none, and never a message that violates its form.
  @Test(arguments: MessageVector.valid)
  func flippedBitsAreReadOrRefused(_ vector: MessageVector) {
    for index in vector.bytes.indices {
      var bytes = vector.bytes
      bytes[index] ^= 1 << UInt8(index % 7)
      guard let written = outcome(bytes).written else { continue }
      #expect(outcome(Array(written.utf8)).written == written)
    }
  }

  /// A token is stored for ever, so its length has a limit.
  @Test func aTokenHasALimit() {
    func ack(_ count: Int) -> [UInt8] {
      let token = [UInt8](repeating: 65, count: count)
      let id = UUIDText("6F2C9A4E-0000-4000-8000-000000000001")!
      let body = Message.Body.ack(SyncAck(peerId: "phone", token: token))
      return Message(id: id, version: .two, sentAt: Instant(seconds: 0)!, body: body).line
    }
    #expect(outcome(ack(64 << 10)).error == nil)
    #expect(outcome(ack(64 << 10 + 1)).error == "invalidValue")
  }

  @Test func everyKindAndErrorHasAVector() {
    let errors = Set(MessageVector.all.compactMap(\.error))
    #expect(
      errors.isSuperset(of: [
        "unexpectedEnd", "notAnObject", "incompatibleProtocolVersion", "unknownType", "missingMember",
        "duplicateMember", "wrongType", "invalidValue", "secretInClear",
      ]))
    let kinds = MessageVector.valid.compactMap { try? Message(parsing: $0.bytes.span) }.map {
      "\($0.kind.rawValue) \($0.version.rawValue)"
    }
    #expect(Set(kinds).count == 2 * Message.Kind.allCases.count)
  }
}
