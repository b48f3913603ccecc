import Captures
import JSONLines
import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/frames.json: the decoded lines of a stream, and its first error.
struct FrameVector: Decodable, CustomTestStringConvertible {
  var name: String
  var prefix: String
  var hex: String
  /// The longest payload; 16 MiB if absent.
  var limit: Int?
  var lines: [String]
  var error: String?
  /// Where the frame with the error starts.
  var offset: Int?
  /// Whether the lines encode to exactly the same bytes.
  var reencodes: Bool

  var testDescription: String { name }
  var framePrefix: FramePrefix { FramePrefix(rawValue: prefix)! }
  var bytes: [UInt8] { Array(hex: hex) }

  static let all: [FrameVector] = VectorFile.load("frames")
}

@Suite struct FrameVectorTests {
  @Test(arguments: FrameVector.all)
  func decodes(_ vector: FrameVector) {
    let feed = Feed.decode(vector.framePrefix, [vector.bytes], limit: vector.limit ?? 16 << 20)
    #expect(feed.lines == vector.lines)
    #expect(feed.failures.first?.code.rawValue == vector.error)
    #expect(feed.failures.first?.offset == vector.offset)
    #expect(feed.failures.count <= 1)
  }

  @Test(arguments: FrameVector.all.filter(\.reencodes))
  func encodesToTheSameBytes(_ vector: FrameVector) {
    let text = vector.lines.map { $0 + "\n" }.joined()
    let feed = Feed.encode(vector.framePrefix, [Array(text.utf8)])
    #expect(feed.output.hex == vector.hex)
    #expect(feed.failures == [])
  }

  @Test(arguments: FrameVector.all)
  func sameByteByByte(_ vector: FrameVector) {
    let limit = vector.limit ?? 16 << 20
    let whole = Feed.decode(vector.framePrefix, [vector.bytes], limit: limit)
    let single = Feed.decode(vector.framePrefix, Cuts.inBytes(vector.bytes), limit: limit)
    #expect(single.lines == whole.lines)
    #expect(single.failures.map(\.code) == whole.failures.map(\.code))
    #expect(single.failures.map(\.offset) == whole.failures.map(\.offset))
  }

  @Test func everyFramingCodeHasAVector() {
    let codes = Set(FrameVector.all.compactMap(\.error))
    #expect(codes.isSuperset(of: ["truncatedHeader", "truncatedPayload", "invalidHeader", "frameTooLarge"]))
    #expect(Set(FrameVector.all.map(\.prefix)) == Set(FramePrefix.allCases.map(\.rawValue)))
  }
}
