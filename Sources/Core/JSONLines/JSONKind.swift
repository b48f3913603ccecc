/// What a value is, as its first byte tells.
@usableFromInline
package enum JSONKind: Sendable {
  case object, array, string, number, `true`, `false`, null

  /// The kind of the value that begins with `firstByte`; nil if no value begins so.
  @inlinable
  package init?(firstByte: UInt8) {
    switch firstByte {
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
    case UInt8(ascii: "t"): self = .true
    case UInt8(ascii: "f"): self = .false
    case UInt8(ascii: "n"): self = .null
    default: return nil
    }
  }
}
