/// Receives each member of the top-level object during the one validating pass.
@usableFromInline
package protocol MemberSink {
  /// Takes one member, in the order of the text.
  ///
  /// Ranges are offsets into `text`, the scanned span: `name` holds the raw bytes between the quotes,
  /// `value` the raw value without the white space around it. Members come while the scan goes on, so
  /// they count only once the scan has returned without an error.
  mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>)
}
