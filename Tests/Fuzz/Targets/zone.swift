import SyncCore

/// A compiled zone, or any other input, gives plausible offsets.
func fuzzZone(_ bytes: [UInt8]) {
  guard let zone = ZoneFile(bytes.span) else { return }
  for moment in [Int64.min / 4_000_000_000, -1, 0, 1_767_225_600, 253_402_300_799] {
    require(abs(zone.offset(at: moment)) < 8 * 86_400, "no clock is so far away")
  }
}
