import CQREncode

/// A QR symbol: a square of modules that are dark or light.
package struct QRSymbol: Equatable, Sendable {
  /// The modules on each side, without the quiet zone.
  package let side: Int
  private let dark: [Bool]

  /// The number of light modules on each side that scanners need to find the symbol (ISO/IEC 18004).
  package static let quietZone = 4

  /// `dark` has the modules row by row.
  init(side: Int, dark: [Bool]) {
    precondition(dark.count == side * side, "a symbol is a square")
    self.side = side
    self.dark = dark
  }

  /// The modules on each side, with the quiet zone.
  package var outerSide: Int { side + 2 * Self.quietZone }

  /// Whether a module is dark; row and column include the quiet zone, and all modules outside are light.
  package func isDark(row: Int, column: Int) -> Bool {
    let (row, column) = (row - Self.quietZone, column - Self.quietZone)
    guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
    return dark[row * side + column]
  }

  /// The columns of each run of dark modules in a row; row and columns include the quiet zone.
  func darkRuns(inRow row: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for column in 0..<outerSide where isDark(row: row, column: column) {
      if let last = runs.last, last.upperBound == column {
        runs[runs.count - 1] = last.lowerBound..<column + 1
      } else {
        runs.append(column..<column + 1)
      }
    }
    return runs
  }
}

extension QRSymbol {
  /// The error for more bytes than a symbol can contain at its error correction level.
  package struct TooLarge: Error, Equatable, Sendable {
    package var count: Int
    package var most: Int
  }

  /// The maximum number of bytes in a symbol at level M (version 40).
  package static let capacity = 2_331

  /// Encodes bytes at error correction level M in the smallest possible symbol.
  ///
  /// Capitals, digits and hyphens need 5½ bits each, all other bytes 8 bits.
  package init(_ bytes: [UInt8]) throws(TooLarge) {
    let mode = bytes.allSatisfy { $0.isAlphanumericInSymbols } ? QR_MODE_AN : QR_MODE_8
    guard let input = unsafe QRinput_new2(0, QR_ECLEVEL_M) else {
      throw TooLarge(count: bytes.count, most: 0)
    }
    defer { unsafe QRinput_free(input) }
    // The library copies the bytes.
    let code = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe QRinput_append(input, mode, CInt(clamping: bytes.count), bytes.baseAddress) == 0
        ? QRcode_encodeInput(input) : nil
    }
    guard let code = unsafe code else { throw TooLarge(count: bytes.count, most: Self.capacity) }
    defer { unsafe QRcode_free(code) }
    let side = Int(unsafe code.pointee.width)
    // The library returns width × width bytes, which are copied before they are freed.
    let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: side * side)
    // The lowest bit is the colour, the others describe the module's purpose.
    self.init(side: side, dark: unsafe modules.map { $0 & 1 == 1 })
  }
}

extension UInt8 {
  /// Whether a byte is in the alphabet of mode "alphanumeric" (ISO/IEC 18004 §7.3.4); only the part needed
  /// here.
  fileprivate var isAlphanumericInSymbols: Bool {
    self &- 48 < 10 || self &- 65 < 26 || self == UInt8(ascii: "-")
  }
}
