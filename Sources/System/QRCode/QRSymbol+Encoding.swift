import CQREncode

extension QRSymbol {
  /// More bytes than a symbol holds at its error correction level.
  package struct TooLarge: Error, Equatable, Sendable {
    package var count: Int
    package var most: Int
  }

  /// The most bytes that fit into a symbol at level M: version 40.
  package static let capacity = 2_331

  /// Encodes bytes at error correction level M in the smallest symbol that they fit into.
  package init(_ bytes: [UInt8]) throws(TooLarge) {
    let size = CInt(clamping: bytes.count)
    // The library only reads the bytes, and only during the call.
    let code = unsafe bytes.withUnsafeBufferPointer {
      unsafe QRcode_encodeData(size, $0.baseAddress, 0, QR_ECLEVEL_M)
    }
    guard let code = unsafe code else { throw TooLarge(count: bytes.count, most: Self.capacity) }
    defer { unsafe QRcode_free(code) }
    let side = Int(unsafe code.pointee.width)
    // The library promises width × width bytes, which are copied before they are freed.
    let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: side * side)
    // The lowest bit is the colour, the others tell what a module is for.
    self.init(side: side, dark: unsafe modules.map { $0 & 1 == 1 })
  }
}
