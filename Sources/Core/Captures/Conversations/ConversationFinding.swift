import JSONLines
import SyncCore

/// A violation of the protocol in a conversation.
package struct ConversationFinding: Equatable, Sendable {
  /// Stable names; docs/formats/frame-check.md lists them.
  package enum Code: String, Sendable, CaseIterable {
    case unknownType, incompatibleProtocolVersion, secretInClear, invalidMessage
    case versionChanged, repeatedId, unknownPeer, unknownReply
    case unexpectedMessage, responseWithoutRequest, notYourTurn, unknownToken
    case pageTooLarge, lineTooLarge, clockSkew
  }

  package var code: Code
  /// The finding in words: lower-case, no final period.
  package var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The finding about a single invalid message.
  init(_ error: MessageError) {
    let code: Code =
      switch error {
      case .unknownType: .unknownType
      case .incompatibleProtocolVersion: .incompatibleProtocolVersion
      case .secretInClear: .secretInClear
      default: .invalidMessage
      }
    self.init(code, error.message)
  }

  /// Appends `{"line":3,"code":"…","message":"…"}` and a LF, with the known parts of the frame's place.
  package func append(side: String?, line: Int, stream: Int?, offset: Int?, to bytes: inout [UInt8]) {
    var members = side.map { [JSONMember("side", .string($0))] } ?? []
    members.append(JSONMember("line", .integer(line)))
    if let stream { members.append(JSONMember("stream", .integer(stream))) }
    if let offset { members.append(JSONMember("offset", .integer(offset))) }
    members.append(JSONMember("code", .string(code.rawValue)))
    members.append(JSONMember("message", .string(message)))
    JSONValue.object(members).append(to: &bytes)
    bytes.append(10)
  }
}
