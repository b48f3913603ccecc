/// Why bytes are no DNS message; offsets are those of the message.
package enum DNSMessageError: Error, Equatable, Sendable {
  case truncated(offset: Int)
  /// A label whose first two bits are neither of a length nor of a pointer.
  case invalidLabel(offset: Int)
  /// A pointer that does not point back before the name that it belongs to.
  case pointerLoop(offset: Int)
  /// A name of more pointers than a name can have labels.
  case tooManyPointers(offset: Int)
  case nameTooLong(offset: Int)
  /// The data of a record does not have the form of its type.
  case invalidData(RecordType, offset: Int)
  case tooLarge(size: Int)

  package var offset: Int {
    switch self {
    case .truncated(let offset), .invalidLabel(let offset), .pointerLoop(let offset),
      .tooManyPointers(let offset), .nameTooLong(let offset), .invalidData(_, let offset):
      offset
    case .tooLarge: 0
    }
  }

  /// Lower-case, no final period.
  package var message: String {
    switch self {
    case .truncated: "the packet ends too early"
    case .invalidLabel: "a label of an unknown kind"
    case .pointerLoop: "a name's pointer does not point back"
    case .tooManyPointers: "a name of more than 127 pointers"
    case .nameTooLong: "a name of more than 255 bytes"
    case .invalidData(let type, _): "the data of a record is not that of \(type.name)"
    case .tooLarge(let size): "packet too large: \(size) bytes, the limit is \(DNSMessage.sizeLimit)"
    }
  }
}
