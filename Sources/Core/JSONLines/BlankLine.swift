extension Span<UInt8> {
  /// Whether a line has nothing but blanks, tabs and carriage returns: it holds no value, and is passed over.
  package var isBlankLine: Bool {
    for index in indices where self[index] != 0x20 && self[index] != 0x09 && self[index] != 0x0D {
      return false
    }
    return true
  }
}
