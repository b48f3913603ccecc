/// Knows our own packets when they come back, as the group's packets do on every link that leads to the same network.
struct EchoFilter {
  private static let memory = Duration.seconds(2)
  private var sent: [[UInt8]: Duration] = [:]

  mutating func note(_ bytes: [UInt8], at now: Duration) {
    if sent.count > 64 { sent = sent.filter { now - $0.value < Self.memory } }
    sent[bytes] = now
  }

  func isEcho(_ bytes: [UInt8], at now: Duration) -> Bool {
    sent[bytes].map { now - $0 < Self.memory } ?? false
  }
}
