import JSONLines
import SyncCore

/// Every clock has a text that is the same instant, and a spelling of its value is the same clock.
func fuzzClock(_ bytes: [UInt8]) {
  if let instant = Instant(rfc3339: bytes.span) { check(instant) }
  guard (try? JSONScanner.validate(bytes.span)) != nil else { return }
  let value = trimmed(bytes)
  let instant = Clock.instant(value.span, 0..<value.count)
  if let instant { check(instant) }
  var canonical: [UInt8] = []
  CanonicalJSON.append(value.span, 0..<value.count, to: &canonical)
  require(Clock.instant(canonical.span, 0..<canonical.count) == instant, "one value is one clock")
}

private func check(_ instant: Instant) {
  require(Instant(instant.description) == instant, "an instant reads back: \(instant)")
  require(instant.inMilliseconds <= instant, "milliseconds are cut")
  let later = instant.advanced(by: .milliseconds(1))
  require(later > instant || instant.description.hasPrefix("9999-12-31T23:59:59.999"), "a millisecond later")
}

private func trimmed(_ bytes: [UInt8]) -> [UInt8] {
  Array(Array(bytes.drop { $0 <= 32 }.reversed()).drop { $0 <= 32 }.reversed())
}
