/// An error that says what it is: for machines by its code, for people in words.
package protocol Explained: Error {
  var code: ErrorCode { get }
  /// Lower-case, no final period.
  var message: String { get }
  /// What helps, where something does.
  var remedy: String? { get }
}

extension Explained {
  package var remedy: String? { nil }
}

extension JSONError.Code {
  package var errorCode: ErrorCode {
    switch self {
    case .unexpectedByte: .unexpectedByte
    case .unexpectedEnd: .unexpectedEnd
    case .trailingBytes: .trailingBytes
    case .invalidUTF8: .invalidUTF8
    case .controlCharacter: .controlCharacter
    case .invalidEscape: .invalidEscape
    case .loneSurrogate: .loneSurrogate
    case .nestingTooDeep: .nestingTooDeep
    case .exponentTooLarge: .exponentTooLarge
    }
  }
}
