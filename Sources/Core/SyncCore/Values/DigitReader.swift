/// Takes fixed pieces off the front of a text; the text is given each time because a span cannot be kept.
package struct DigitReader {
  package private(set) var position = 0

  package init() {}

  @inline(__always)
  package mutating func take(_ text: Span<UInt8>, _ letter: Unicode.Scalar) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: letter) else { return false }
    position &+= 1
    return true
  }

  /// Exactly `count` digits.
  @inline(__always)
  package mutating func number(_ text: Span<UInt8>, _ count: Int) -> Int? {
    guard text.count &- position >= count else { return nil }
    var number = 0
    var areDigits = true
    for index in position..<position &+ count {
      let digit = text[index] &- 48
      areDigits = areDigits && digit < 10
      number = number &* 10 &+ Int(digit)
    }
    position &+= count
    return areDigits ? number : nil
  }

  /// Nanoseconds: nothing, or a point and at least one digit.
  package mutating func fraction(_ text: Span<UInt8>) -> Int? {
    guard take(text, ".") else { return 0 }
    guard var number = digit(text) else { return nil }
    var count = 1
    while let digit = digit(text) {
      if count < 9 { number = number * 10 + digit }
      count += 1
    }
    for _ in count..<max(count, 9) { number *= 10 }
    return number
  }

  /// Minutes east of UTC.
  package mutating func offset(_ text: Span<UInt8>) -> Int? {
    if take(text, "Z") || take(text, "z") { return 0 }
    let isWest = take(text, "-")
    guard isWest || take(text, "+"), let hours = number(text, 2), take(text, ":"),
      let minutes = number(text, 2),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  @inline(__always)
  private mutating func digit(_ text: Span<UInt8>) -> Int? {
    guard position < text.count, text[position] &- 48 < 10 else { return nil }
    defer { position += 1 }
    return Int(text[position] - 48)
  }
}
