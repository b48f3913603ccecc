extension Duration {
  /// Cut to milliseconds; what is beyond them counts as half of the longest time there is.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.multipliedReportingOverflow(by: 1_000).overflow
      ? .max / 2 : seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
