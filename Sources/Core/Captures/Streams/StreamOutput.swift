import JSONLines
import SyncCore

/// The lines and findings of a packet reader.
package struct StreamOutput: Sendable {
  /// The lines so far; the writer removes them.
  package var lines: [UInt8] = []
  /// The listed findings that were not removed yet.
  package var findings: [StreamFinding] = []
  /// The number of findings that were not listed.
  package private(set) var unlisted = 0
  package private(set) var gaps = 0
  /// The total number of missing bytes.
  package private(set) var missing = 0
  /// The total number of findings.
  package private(set) var found = 0
  /// The limits of listed findings, for a stream and for all: each packet of a capture may have a finding.
  package static let (mostOfStream, mostListed) = (10, 1_000)
  /// The number of listed findings of each stream.
  private var listed: [Int: Int] = [:]
  private var second = Int64.min
  private var secondText: [UInt8] = []

  package init() {}

  /// Appends a line of bytes in order; `head` is the beginning of the direction's lines.
  mutating func append(_ bytes: Span<UInt8>, at offset: Int, _ time: Instant, head: [UInt8]) {
    begin(head, time)
    lines.append(contentsOf: "\",\"offset\":".utf8)
    lines.append(contentsOf: String(offset).utf8)
    append(data: bytes)
  }

  /// Appends a line about bytes that are missing in the capture.
  mutating func append(gap count: Int, at offset: Int, _ time: Instant, head: [UInt8]) {
    gaps += 1
    missing += count
    begin(head, time)
    lines.append(contentsOf: "\",\"offset\":\(offset),\"gap\":\(count)}\n".utf8)
  }

  /// Appends the line of a datagram; the capture lacks `count` bytes of it.
  mutating func append(datagram bytes: Span<UInt8>, missing count: Int, _ time: Instant, head: [UInt8]) {
    begin(head, time)
    lines.append(UInt8(ascii: "\""))
    if count > 0 {
      gaps += 1
      missing += count
      lines.append(contentsOf: ",\"gap\":\(count)".utf8)
    }
    append(data: bytes)
  }

  mutating func report(_ finding: StreamFinding) {
    found += 1
    let number = finding.stream.number
    guard found - unlisted <= Self.mostListed, listed[number, default: 0] < Self.mostOfStream else {
      unlisted += 1
      return
    }
    listed[number, default: 0] += 1
    findings.append(finding)
  }

  private mutating func append(data: Span<UInt8>) {
    lines.append(contentsOf: ",\"data\":\"".utf8)
    Base64.append(data, to: &lines)
    lines.append(contentsOf: "\"}\n".utf8)
  }

  /// The beginning of a line, up to the end of its time.
  private mutating func begin(_ head: [UInt8], _ time: Instant) {
    if time.seconds != second {
      second = time.seconds
      secondText = Array(time.description.utf8.prefix(19))
    }
    lines.append(contentsOf: head)
    lines.append(contentsOf: secondText)
    lines.append(UInt8(ascii: "."))
    appendFraction(of: time)
    lines.append(UInt8(ascii: "Z"))
  }

  /// Appends three digits, or six or nine if the time needs them, as in every instant.
  private mutating func appendFraction(of time: Instant) {
    let count = time.nanoseconds % 1_000_000 == 0 ? 3 : time.nanoseconds % 1_000 == 0 ? 6 : 9
    var divisor: Int32 = 100_000_000
    for _ in 0..<count {
      lines.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: time.nanoseconds / divisor % 10))
      divisor /= 10
    }
  }
}

extension StreamName {
  /// The beginning of the direction's lines, up to their time.
  var head: [UInt8] {
    var head = Array("{\"stream\":\(number),".utf8)
    Self.append(from, to, to: &head)
    return head
  }

  /// The beginning of a datagram's line, up to its time.
  static func head(ofDatagram number: Int, _ from: Endpoint, _ to: Endpoint) -> [UInt8] {
    var head = Array("{\"datagram\":\(number),".utf8)
    append(from, to, to: &head)
    return head
  }

  private static func append(_ from: Endpoint, _ to: Endpoint, to head: inout [UInt8]) {
    head.append(contentsOf: "\"from\":\"".utf8)
    from.append(to: &head)
    head.append(contentsOf: "\",\"to\":\"".utf8)
    to.append(to: &head)
    head.append(contentsOf: "\",\"at\":\"".utf8)
  }
}
