import JSONLines
import Testing

/// `unexpectedEnd` must mean that more bytes may help, and every other error that none can.
@Suite struct PrefixTests {
  @Test(arguments: ScanVector.allValid)
  func everyTruncationOfAValidTextMayGoOn(_ vector: ScanVector) {
    for count in 0..<vector.bytes.count {
      guard let error = JSONTexts.error(Array(vector.bytes[..<count])) else { continue }
      #expect(error == JSONError(.unexpectedEnd, at: count))
    }
  }

  @Test(arguments: ScanVector.all)
  func errorsStandAtTheFirstByteThatCannotFollow(_ vector: ScanVector) {
    guard let error = JSONTexts.error(vector.bytes), error.code != .unexpectedEnd else { return }
    let before = JSONTexts.error(Array(vector.bytes[..<error.offset]))
    #expect(before == nil || before == JSONError(.unexpectedEnd, at: error.offset))
    #expect(JSONTexts.error(Array(vector.bytes[...error.offset])) == error)
  }

  @Test(arguments: ScanVector.all)
  func whatMayGoOnCanBeCompleted(_ vector: ScanVector) {
    let lengths = vector.bytes.count < 200 ? 0...vector.bytes.count : vector.bytes.count...vector.bytes.count
    for count in lengths {
      let prefix = Array(vector.bytes[..<count])
      guard JSONTexts.error(prefix)?.code == .unexpectedEnd else { continue }
      #expect(JSONTexts.error(completed(prefix)) == nil)
    }
  }

  /// Adds the first byte that does not fail, preferring those that close, until the text is valid.
  private func completed(_ prefix: [UInt8]) -> [UInt8] {
    let candidates = Array(#""}]:0d\ualserfc"#.utf8) + [0x80, 0x90, 0xA0]
    var text = prefix
    while JSONTexts.error(text)?.code == .unexpectedEnd {
      let next = candidates.first { byte in
        let code = JSONTexts.error(text + [byte])?.code
        return code == nil || code == .unexpectedEnd
      }
      guard let next else { return text }
      text.append(next)
    }
    return text
  }
}
