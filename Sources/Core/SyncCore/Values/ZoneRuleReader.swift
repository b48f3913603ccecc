/// Takes the parts of a rule off the front of its text.
struct ZoneRuleReader {
  private var position = 0

  func isAtEnd(_ text: Span<UInt8>) -> Bool { position == text.count }

  func isNext(_ letter: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    position < text.count && text[position] == UInt8(ascii: letter)
  }

  mutating func take(_ letter: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    guard isNext(letter, text) else { return false }
    position += 1
    return true
  }

  /// At least three letters, or anything between `<` and `>`.
  mutating func name(_ text: Span<UInt8>) -> Bool {
    let start = position
    if take("<", text) {
      while position < text.count, text[position] != UInt8(ascii: ">") { position += 1 }
      return take(">", text)
    }
    while position < text.count, (65...90).contains(text[position] & 0xDF) { position += 1 }
    return position - start >= 3
  }

  /// At most four digits.
  mutating func number(_ text: Span<UInt8>) -> Int? {
    let start = position
    var number = 0
    while position < text.count, position - start < 4, text[position] &- 48 < 10 {
      number = number * 10 + Int(text[position] - 48)
      position += 1
    }
    return position > start ? number : nil
  }

  /// `[+-]H[:MM[:SS]]` in seconds.
  mutating func time(_ text: Span<UInt8>, hours: Int) -> Int? {
    let isNegative = take("-", text)
    if !isNegative { _ = take("+", text) }
    guard let hour = number(text), hour <= hours else { return nil }
    var seconds = hour * 3_600
    if take(":", text) {
      guard let minute = number(text), minute < 60 else { return nil }
      seconds += minute * 60
      if take(":", text) {
        guard let second = number(text), second < 60 else { return nil }
        seconds += second
      }
    }
    return isNegative ? -seconds : seconds
  }
}
