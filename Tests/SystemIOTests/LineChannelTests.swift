@testable import SystemIO
import Testing

@Suite struct LineChannelTests {
  /// A channel that reads from one pipe and writes into another.
  private struct Pipes: ~Copyable {
    var channel: LineChannel
    var toChannel: Descriptor
    var fromChannel: Descriptor

    init(limit: Int) throws {
      var (input, output) = ([CInt](repeating: 0, count: 2), [CInt](repeating: 0, count: 2))
      guard unsafe pipe(&input) == 0, unsafe pipe(&output) == 0 else {
        throw SystemError(.open, "pipe", code: errno)
      }
      // A reader that has gone away is an error here, not a signal.
      signal(SIGPIPE, SIG_IGN)
      channel = LineChannel(
        Descriptor(owning: input[0], name: "in"), Descriptor(owning: output[1], name: "out"), limit: limit)
      toChannel = Descriptor(owning: input[1], name: "to")
      fromChannel = Descriptor(owning: output[0], name: "from")
    }

    /// Available bytes arrive at once; a busy machine gets more time.
    mutating func receive(within time: Duration = .seconds(60)) throws -> LineChannel.Arrival {
      try channel.receive(until: SystemClock.monotonic() + time)
    }
  }

  private func line(_ text: String) -> LineChannel.Arrival { .line(Array(text.utf8)) }

  @Test func linesComeOneByOne() throws {
    var pipes = try Pipes(limit: 100)
    var arrival: LineChannel.Arrival
    try pipes.toChannel.write("one\r\n\ntwo\nthr")
    arrival = try pipes.receive()
    #expect(arrival == line("one"))
    arrival = try pipes.receive()
    #expect(arrival == line(""))
    arrival = try pipes.receive()
    #expect(arrival == line("two"))
    arrival = try pipes.receive(within: .milliseconds(20))
    #expect(arrival == .timeOut)
    try pipes.toChannel.write("ee")
    try pipes.toChannel.close()
    arrival = try pipes.receive()
    #expect(arrival == line("three"))
    let hasEnded = pipes.channel.hasEnded
    #expect(hasEnded)
    arrival = try pipes.receive()
    #expect(arrival == .end)
  }

  @Test func aLineAboveTheLimitIsNotRead() throws {
    for text in ["123456\n", "123456"] {
      var pipes = try Pipes(limit: 5)
      var arrival: LineChannel.Arrival
      try pipes.toChannel.write("12345\n" + text)
      arrival = try pipes.receive()
      #expect(arrival == line("12345"))
      arrival = try pipes.receive()
      #expect(arrival == .tooLong)
    }
  }

  @Test func aLineThatNobodyTakesIsGivenUp() throws {
    var pipes = try Pipes(limit: 5)
    let large = [UInt8](repeating: 65, count: 4 << 20)
    var pace = Self.pace(.milliseconds(20))
    let isSent = try pipes.channel.send(large, pace: &pace)
    #expect(!isSent)
  }

  /// A message that has begun before the patience ended is awaited as long as enough of it arrives.
  @Test func aLineThatIsOnItsWayIsWaitedFor() throws {
    var pipes = try Pipes(limit: 1 << 20)
    try pipes.toChannel.write(String(repeating: "a", count: 40 << 10))
    let now = SystemClock.monotonic()
    var pace = MessagePace(patience: .seconds(60))
    // As if 59 seconds had passed: in one more second it would time out.
    pace.begin(at: now - .seconds(59))
    let arrival = try pipes.channel.receive(until: now, pace: &pace)
    #expect(arrival == .timeOut, "at the deadline of the caller")
    #expect(pace.limit >= now + .seconds(10), "a second more for each 4 KiB")
  }

  private static func pace(_ patience: Duration) -> MessagePace {
    var pace = MessagePace(patience: patience)
    pace.begin(at: SystemClock.monotonic())
    return pace
  }

  /// Bytes that the other side sent before it closed can still be read.
  @Test func nobodyThereIsNoErrorYet() throws {
    var pipes = try Pipes(limit: 5)
    var arrival: LineChannel.Arrival
    try pipes.toChannel.write("bye\n")
    try pipes.toChannel.close()
    try pipes.fromChannel.close()
    var pace = Self.pace(.seconds(1))
    let isSent = try pipes.channel.send([65], pace: &pace)
    #expect(isSent)
    arrival = try pipes.receive()
    #expect(arrival == line("bye"))
    arrival = try pipes.receive()
    #expect(arrival == .end)
  }
}
