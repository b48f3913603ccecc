import Foundation
import JSONLines
import TestSupport
import Testing

/// Damaged texts never crash and are accepted only if another reader accepts them too.
@Suite struct FlippedByteTests {
  @Test(arguments: ScanVector.allValid.filter { $0.bytes.count < 200 })
  func everyFlippedBit(_ vector: ScanVector) {
    for index in vector.bytes.indices {
      for bit in 0..<8 {
        var damaged = vector.bytes
        damaged[index] ^= 1 << UInt8(bit)
        check(damaged)
      }
    }
  }

  @Test(arguments: Tries.some(ScanVector.all.filter { $0.bytes.count < 30 }))
  func everyByteInEveryPlace(_ vector: ScanVector) {
    for index in vector.bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var damaged = vector.bytes
        damaged[index] = byte
        check(damaged)
      }
    }
  }

  private func check(_ text: [UInt8]) {
    guard JSONTexts.error(text) == nil else { return }
    let canonical = JSONTexts.canonical(text)
    #expect(JSONTexts.error(canonical) == nil, "\(text)")
    #expect(JSONTexts.canonical(canonical) == canonical, "\(text)")
    #expect(JSONTexts.areEqual(text, canonical), "\(text)")
    // Foundation reads numbers as doubles and refuses those beyond them. It also accepts more than JSON,
    // such as a comma before a closing bracket, so that only this direction says anything.
    if text.contains(UInt8(ascii: "e")) || text.contains(UInt8(ascii: "E")) { return }
    #expect(throws: Never.self, "\(text)") {
      try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
    }
  }
}
