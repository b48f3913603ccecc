import JSONLines
import Testing

@Suite struct ScanVectorTests {
  @Test(arguments: ScanVector.all)
  func scans(_ vector: ScanVector) {
    #expect(vector.valid == (vector.error == nil))
    #expect(JSONTexts.error(vector.bytes) == vector.expectedError)
  }

  @Test(arguments: ScanVector.allValid)
  func writesCanonicalForm(_ vector: ScanVector) {
    let canonical = JSONTexts.canonical(vector.bytes)
    #expect(String(decoding: canonical, as: UTF8.self) == vector.canonical)
    #expect(JSONTexts.error(canonical) == nil)
    #expect(JSONTexts.canonical(canonical) == canonical)
    #expect(JSONTexts.areEqual(vector.bytes, canonical))
  }

  @Test func everyErrorHasAVector() {
    let codes = Set(ScanVector.all.compactMap(\.error))
    #expect(codes == Set(JSONError.Code.allCases.map(\.rawValue)))
  }

  @Test func differentCanonicalFormsAreDifferentValues() {
    let vectors = ScanVector.allValid.filter { $0.bytes.count < 200 }
    for a in vectors {
      for b in vectors {
        #expect(
          JSONTexts.areEqual(a.bytes, b.bytes) == (a.canonical!.utf8.elementsEqual(b.canonical!.utf8)),
          "\(a.name), \(b.name)")
      }
    }
  }
}
