import JSONLines

/// Separates from a response the changes that are nested too deep for any reader.
///
/// Otherwise one such change would make the complete message unreadable, and every session would fail at it.
struct DeepChanges {
  /// The message without these changes; not validated yet.
  private(set) var text: [UInt8] = []
  private(set) var entries: [UnusableEntry] = []

  private var depth = 0
  /// The last member name of the outer object and of the object in it, as written.
  private var names: [[UInt8]] = [[], []]
  /// The depth inside the array whose elements are changes; nil outside such an array.
  private var arrayDepth: Int?
  private var skipsComma = false

  /// Nil if brackets do not match, or if no change exceeds the depth limit.
  init?(in message: Span<UInt8>) {
    var offset = 0
    while offset < message.count {
      guard let next = consume(message, at: offset) else { return nil }
      offset = next
    }
    if depth != 0 || entries.isEmpty { return nil }
  }

  /// Reads a token or a complete change; returns the start of the next one, nil if the text is invalid.
  private mutating func consume(_ message: Span<UInt8>, at offset: Int) -> Int? {
    let byte = message[offset]
    switch byte {
    case UInt8(ascii: "\""):
      guard let end = DepthWalk.endOfString(message, from: offset) else { return nil }
      if 1...2 ~= depth { names[depth - 1] = Array(copying: message.extracting(offset + 1..<end - 1)) }
      return keep(message, offset..<end)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if depth == arrayDepth { return consumeChange(message, at: offset) }
      depth += 1
      if byte == UInt8(ascii: "["), isListOfChanges { arrayDepth = depth }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      guard depth >= 0 else { return nil }
      if let inside = arrayDepth, depth < inside { (arrayDepth, skipsComma) = (nil, false) }
    case UInt8(ascii: ",") where depth == arrayDepth && skipsComma:
      skipsComma = false
      return offset + 1
    default: break
    }
    return keep(message, offset..<offset + 1)
  }

  /// Whether the array that begins here is `changes` of version 2, or `upserts` or `deletes` of version 1.
  private var isListOfChanges: Bool {
    switch depth {
    case 2: names[0] == Array("changes".utf8)
    case 3:
      names[0] == Array("delta".utf8) && [Array("upserts".utf8), Array("deletes".utf8)].contains(names[1])
    default: false
    }
  }

  private mutating func keep(_ message: Span<UInt8>, _ range: Range<Int>) -> Int {
    text.append(message.extracting(range))
    return range.upperBound
  }

  private mutating func consumeChange(_ message: Span<UInt8>, at start: Int) -> Int? {
    guard let walk = DepthWalk(message, from: start) else { return nil }
    guard walk.deepest > StorableLine.deepest else { return keep(message, start..<walk.end) }
    let change = message.extracting(start..<walk.end)
    entries.append(UnusableEntry(excerptOf: change, code: .nestingTooDeep, outline: walk.outline))
    // One of the commas around the change is removed too.
    while let last = text.last, [9, 10, 13, 32].contains(last) { text.removeLast() }
    if text.last == UInt8(ascii: ",") { text.removeLast() } else { skipsComma = true }
    return walk.end
  }
}

/// Scans one object or array of any depth, inspecting only brackets and strings.
private struct DepthWalk {
  private(set) var end: Int
  private(set) var deepest = 0
  /// The text with `null` for parts that are nested deeper than a key may be.
  private(set) var outline: [UInt8] = []

  private static let outlined = 4

  /// Scans the object or array at `start`; nil if the text is incomplete.
  init?(_ text: Span<UInt8>, from start: Int) {
    end = start
    var depth = 0
    repeat {
      guard end < text.count else { return nil }
      var next = end + 1
      switch text[end] {
      case UInt8(ascii: "\""):
        guard let after = Self.endOfString(text, from: end) else { return nil }
        next = after
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
        if depth == Self.outlined + 1 { outline += Array("null".utf8) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == Self.outlined {
          end = next
          continue
        }
      default: break
      }
      if depth <= Self.outlined { outline.append(text.extracting(end..<next)) }
      end = next
    } while depth > 0
  }

  /// The offset just after the string whose quote is at `start`; nil if the closing quote is missing.
  static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int? {
    var offset = start + 1
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\""): return offset + 1
      case UInt8(ascii: "\\"): offset += 2
      default: offset += 1
      }
    }
    return nil
  }
}
