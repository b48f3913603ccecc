import CommandLine
import JSONLines
import SystemIO

/// One input with tagged lines, as blocks of two sources.
///
/// A line of source 0 begins with `-` and a tab, and a line of source 1 with `+` and a tab.
///
/// In a block of one source, the lines of the other source are blank, so line numbers do not change.
struct TaggedBlocks: ~Copyable {
  private let path: String
  private var input: InputBlocks
  private var lines = 0
  private var size = 0
  /// The other half of the last block, which is returned next.
  private var other: TextRegion?

  init(_ path: String, size: Int) throws(SystemError) {
    self.path = path
    input = try InputBlocks(path, size: size, maps: false)
  }

  /// The next lines and their source.
  mutating func next() throws -> (text: TextRegion, source: UInt16)? {
    if let other {
      self.other = nil
      return (other, 1)
    }
    guard let (region, range) = try input.next() else { return nil }
    let halves = try split(region.span.extracting(range))
    other = TextRegion(halves.new)
    return (TextRegion(halves.old), 0)
  }

  private mutating func split(_ text: Span<UInt8>) throws -> (old: [UInt8], new: [UInt8]) {
    var (old, new): ([UInt8], [UInt8]) = ([], [])
    old.reserveCapacity(text.count)
    new.reserveCapacity(text.count)
    size += text.count
    var start = 0
    while start < text.count {
      lines += 1
      guard let end = ByteSearch.firstIndex(of: 10, in: text, from: start) else {
        throw Diagnostic.unterminated(path, size: size)
      }
      let line = text.extracting(start..<end)
      switch Self.tag(of: line) {
      case UInt8(ascii: "-"): old.append(line.extracting(2...))
      case UInt8(ascii: "+"): new.append(line.extracting(2...))
      default: if !line.isBlankLine { throw untagged }
      }
      old.append(10)
      new.append(10)
      start = end + 1
    }
    return (old, new)
  }

  private static func tag(of line: Span<UInt8>) -> UInt8? {
    line.count > 1 && line[1] == UInt8(ascii: "\t") ? line[0] : nil
  }

  private var untagged: Diagnostic {
    Diagnostic(
      .untaggedLine, "the line does not begin with - or + and a tab", file: path, line: lines,
      hint: "each line of --tagged is '-', a tab and an old line, or '+', a tab and a new line")
  }
}
