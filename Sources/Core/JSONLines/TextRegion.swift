/// Bytes in memory that several threads may read: a mapped file, or a block that does not change after it is
/// filled.
///
/// This is safe because the bytes do not change after `init`, and they live as long as the region does.
@safe
package final class TextRegion: Sendable {
  nonisolated(unsafe) private let bytes: UnsafeRawBufferPointer
  private let release: @Sendable (Int, Int) -> Void

  /// `release` is called with the address and the size once the bytes are no longer needed.
  @unsafe
  package init(_ bytes: UnsafeRawBufferPointer, release: @escaping @Sendable (Int, Int) -> Void) {
    unsafe self.bytes = bytes
    self.release = release
  }

  /// A region with a copy of the text.
  package convenience init(_ text: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(text.count, 1), alignment: 16)
    unsafe copy.copyBytes(from: text)
    unsafe self.init(UnsafeRawBufferPointer(rebasing: copy[..<text.count])) { address, _ in
      unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }

  deinit { unsafe release(Int(bitPattern: bytes.baseAddress), bytes.count) }

  @inlinable
  package var count: Int { span.count }

  package var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(_unsafeElements: bytes.bindMemory(to: UInt8.self))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}
