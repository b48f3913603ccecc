/// The sink of a caller that only wants to know whether a text is valid.
@usableFromInline
package struct IgnoredMembers: MemberSink {
  @inlinable
  package init() {}

  @inlinable
  package mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {}
}
