import JSONLines
import Testing

@Suite struct ExactDecimalTests {
  private func decimal(_ text: String) -> ExactDecimal {
    ExactDecimal(Array(text.utf8).span, 0..<text.utf8.count)
  }

  private func canonical(_ text: String) -> String {
    var bytes: [UInt8] = []
    decimal(text).appendCanonical(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func ordersByValue() {
    let ordered = [
      "-1e1000000000", "-1e20", "-99999999999999999999", "-2", "-1.5", "-1.05", "-1", "-0.9",
      "-1e-1000000000",
      "0", "1e-1000000000", "0.09", "0.1", "0.1000000000000000000000001", "9", "9.9", "10", "11", "99",
      "100.5",
      "99999999999999999999", "1e20", "1e1000000000",
    ]
    for (i, a) in ordered.enumerated() {
      for (j, b) in ordered.enumerated() {
        #expect((decimal(a) < decimal(b)) == (i < j), "\(a) \(b)")
        #expect((decimal(a) == decimal(b)) == (i == j), "\(a) \(b)")
      }
    }
  }

  @Test(arguments: [
    ("-0", "0"), ("1.0", "1"), ("10e-1", "1"), ("0.0e5", "0"), ("1E+2", "100.000"), ("120", "1.2e2"),
  ])
  func equalValuesAreEqualHoweverWritten(_ a: String, _ b: String) {
    #expect(decimal(a) == decimal(b))
    #expect(decimal(a).hashValue == decimal(b).hashValue)
    #expect(!(decimal(a) < decimal(b)) && !(decimal(b) < decimal(a)))
    #expect(canonical(a) == canonical(b))
  }

  @Test func readsOnlyTheGivenRange() {
    let text = Array("[12,-3.50e1]".utf8)
    #expect(ExactDecimal(text.span, 1..<3) == decimal("12"))
    #expect(ExactDecimal(text.span, 4..<11) == decimal("-35"))
  }

  @Test(arguments: [
    ("0", 5, 0), ("1", 0, 1), ("1", 3, 1000), ("1.9", 0, 1), ("-1.9", 0, -2), ("-1.0", 0, -1), ("0.9", 0, 0),
    ("-0.9", 0, -1), ("-1e-1000000000", 0, -1), ("1e-1000000000", 0, 0), ("1.2345", 3, 1234),
    ("-1.2345", 3, -1235),
    ("12345", -2, 123), ("-12345", -2, -124), ("-12300", -2, -123), ("12345", -5, 0), ("-12345", -5, -1),
    ("9223372036854775807", 0, Int64.max), ("9223372036854775807.9", 0, Int64.max),
    ("-9223372036854775808", 0, Int64.min),
    ("9.223372036854775807e18", 0, Int64.max), ("-9223372036854775807.5", 0, Int64.min),
    ("1763632800.1234567", 3, 1_763_632_800_123),
    ("1e1000000000", -1_000_000_000, 1), ("1e-1000000000", 1_000_000_000, 1), ("7", Int.min, 0),
    ("-7", Int.min, -1),
    ("-1e-3", Int.min, -1), ("0", Int.max, 0),
  ])
  func floors(_ text: String, _ power: Int, _ expected: Int64) {
    #expect(decimal(text).floor(timesTenToThe: power) == expected)
  }

  @Test(arguments: [
    ("9223372036854775808", 0), ("-9223372036854775809", 0), ("-9223372036854775808.1", 0), ("1e19", 0),
    ("1", 19),
    ("1e1000000000", 0), ("-1e1000000000", 0), ("9999999999999999999", 0), ("1", Int.max), ("1e5", Int.max),
  ])
  func hasNoFloorBeyondInt64(_ text: String, _ power: Int) {
    #expect(decimal(text).floor(timesTenToThe: power) == nil)
  }

  @Test func knowsIntegers() {
    #expect(["0", "-0.0", "1.0", "1e5", "1.5e1", "100"].allSatisfy { decimal($0).isInteger })
    #expect(["0.1", "1.5", "15e-1", "-1e-1000000000"].allSatisfy { !decimal($0).isInteger })
  }
}
