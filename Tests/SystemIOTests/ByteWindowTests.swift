import Foundation
@testable import SystemIO
import TestSupport
import Testing

@Suite struct ByteWindowTests {
  private func bytes(of window: borrowing ByteWindow) -> [UInt8] { Array(window.storage[window.range]) }

  @Test func consumingMovesTheStreamOffset() {
    var window = ByteWindow(capacity: 8)
    window.append([1, 2, 3, 4])
    window.consume(3)
    #expect(bytes(of: window) == [4])
    #expect(window.consumed == 3 && window.count == 1)
    window.consume(1)
    #expect(window.isEmpty && window.consumed == 4)
  }

  @Test("Whatever the pieces, what comes out is what went in", arguments: [1, 7, 64, 1000])
  func piecesOfAnySize(piece: Int) {
    var window = ByteWindow(capacity: 16)
    var received: [UInt8] = []
    let sent = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for start in stride(from: 0, to: sent.count, by: piece) {
      window.append(sent[start..<min(start + piece, sent.count)])
      let taken = window.count * 2 / 3
      received += bytes(of: window).prefix(taken)
      window.consume(taken)
    }
    received += bytes(of: window)
    #expect(received == sent)
  }

  @Test func aWindowThatWrapsKeepsItsStorage() {
    var window = ByteWindow(capacity: 1024)
    let address = { (window: borrowing ByteWindow) in
      unsafe window.storage.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    let start = address(window)
    for _ in 0..<100 {
      #expect(address(window) == start)
      window.append([UInt8](repeating: 1, count: 100))
      window.consume(99)
      window.consume(window.count > 50 ? 50 : 0)
    }
  }

  @Test func readingFillsUpToTheEndOfTheFile() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "abcdefgh", count: 1000)
    let source = try Descriptor.reading(folder.write(text, to: "file"))
    var window = ByteWindow(capacity: 100)
    while try window.fill(from: source) > 0 {}
    #expect(String(decoding: window.storage[window.range], as: UTF8.self) == text)
  }
}
