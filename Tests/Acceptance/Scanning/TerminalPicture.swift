import Foundation

/// A terminal's picture of a text with colours of the 256-colour cube, blanks and block characters.
struct TerminalPicture {
  /// Grey levels row by row, four pixels for each half line and column: a cell is twice as high as wide.
  private var rows: [[UInt8]] = []

  private static let scale = 4

  struct NotUnderstood: Error { var text: String }

  /// `background` is the grey of the terminal, for text without a colour.
  init(_ text: String, background: UInt8) throws {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let halves = try Self.halves(line, background)
      for half in [halves.upper, halves.lower] {
        for _ in 0..<Self.scale { rows.append(half.flatMap { [UInt8](repeating: $0, count: Self.scale) }) }
      }
    }
  }

  /// A PGM file, with a margin in the terminal's own colour.
  func pgm(margin: Int, background: UInt8) -> Data {
    let width = (rows.map(\.count).max() ?? 0) + 2 * margin
    let blank = [UInt8](repeating: background, count: width)
    let side = [UInt8](repeating: background, count: margin)
    let pixels = rows.map { side + $0 + [UInt8](repeating: background, count: width - margin - $0.count) }
    let all = [[UInt8]](repeating: blank, count: margin) + pixels + [[UInt8]](repeating: blank, count: margin)
    return Data("P5 \(width) \(all.count) 255\n".utf8) + Data(all.flatMap(\.self))
  }

  private static func halves(
    _ line: Substring, _ background: UInt8
  ) throws -> (upper: [UInt8], lower: [UInt8]) {
    var (upper, lower): ([UInt8], [UInt8]) = ([], [])
    var (ink, paper) = (~background, background)
    var rest = line
    while let character = rest.popFirst() {
      switch character {
      case "\u{1b}":
        guard let end = rest.firstIndex(of: "m"), rest.first == "[" else {
          throw NotUnderstood(text: String(line))
        }
        try apply(rest[..<end].dropFirst(), &ink, &paper, background)
        rest = rest[rest.index(after: end)...]
      case " ": (upper, lower) = (upper + [paper], lower + [paper])
      case "█": (upper, lower) = (upper + [ink], lower + [ink])
      case "▀": (upper, lower) = (upper + [ink], lower + [paper])
      case "▄": (upper, lower) = (upper + [paper], lower + [ink])
      default: throw NotUnderstood(text: String(character))
      }
    }
    return (upper, lower)
  }

  private static func apply(
    _ parameters: Substring, _ ink: inout UInt8, _ paper: inout UInt8, _ background: UInt8
  ) throws {
    let greys: [Int: UInt8] = [16: 0, 231: 255]
    var numbers = parameters.split(separator: ";").compactMap { Int($0) }[...]
    while let first = numbers.popFirst() {
      if first == 0 {
        (ink, paper) = (~background, background)
      } else if [38, 48].contains(first), numbers.popFirst() == 5,
        let grey = numbers.popFirst().flatMap({ greys[$0] })
      {
        if first == 38 { ink = grey } else { paper = grey }
      } else {
        throw NotUnderstood(text: String(parameters))
      }
    }
  }
}
