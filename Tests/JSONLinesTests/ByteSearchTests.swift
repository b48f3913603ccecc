import JSONLines
import SyncCore
import TestSupport
import Testing

@Suite struct ByteSearchTests {
  @Test(arguments: [0x00, 0x01, 0x0A, 0x5C, 0x7F, 0x80, 0xFF] as [UInt8])
  func findsTheFirstInEveryPlace(_ byte: UInt8) {
    // Borrows between the bytes of a word could confuse neighbouring values.
    for filling in [byte ^ 1, byte &+ 1, byte &- 1, byte ^ 0x80] {
      for length in 0...70 {
        for place in 0..<length {
          var text = [UInt8](repeating: filling, count: length)
          text[place] = byte
          #expect(ByteSearch.firstIndex(of: byte, in: text.span) == place)
          text[length - 1] = byte
          #expect(ByteSearch.firstIndex(of: byte, in: text.span, from: place) == place)
          #expect(ByteSearch.firstIndex(of: byte, in: text.span, 0..<place) == nil)
        }
        let without = [UInt8](repeating: filling, count: length)
        #expect(ByteSearch.firstIndex(of: byte, in: without.span) == nil)
      }
    }
  }

  @Test(arguments: UInt64(1)...50)
  func agreesWithAPlainSearch(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let text = (0..<200).map { _ in random.pick([0x00, 0x01, 0x0A, 0x0B, 0x80, 0x8A, 0xFF] as [UInt8]) }
    for start in 0...text.count {
      #expect(
        ByteSearch.firstIndex(of: 0x0A, in: text.span, from: start) == text[start...].firstIndex(of: 0x0A))
    }
  }

  @Test func measuresCommonPrefixes() {
    let a = [UInt8](0..<100)
    for place in 0..<40 {
      var b = a
      b[place + 3] = 0xFF
      #expect(ByteSearch.commonPrefix(a.span, 3..<43, b.span, 3..<43) == place)
      #expect(!isEqual(a, 3..<43, b, 3..<43))
      #expect(isEqual(a, 3..<3 + place, b, 3..<3 + place))
    }
    #expect(ByteSearch.commonPrefix(a.span, 0..<20, a.span, 0..<30) == 20)
    #expect(!isEqual(a, 0..<20, a, 0..<30))
    #expect(!isEqual(a, 0..<20, a, 1..<21))
  }

  private func isEqual(_ a: [UInt8], _ aRange: Range<Int>, _ b: [UInt8], _ bRange: Range<Int>) -> Bool {
    ByteSearch.isEqual(a.span, aRange, b.span, bRange)
  }
}
