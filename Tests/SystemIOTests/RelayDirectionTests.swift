@testable import SystemIO
import Foundation
import Testing

/// One direction of a relay whose source breaks, or whose sink is slow or breaks.
struct RelayDirectionTests {
  private struct Broken: Error {}

  /// Has some bytes, and then breaks.
  private final class Source: RelaySource {
    var left: [UInt8]?

    init(_ bytes: [UInt8]) { left = bytes }

    func readAvailable(into window: inout ByteWindow) throws -> Int? {
      guard let bytes = left else { throw Broken() }
      left = nil
      window.append(bytes)
      return bytes.count
    }
  }

  /// Takes as many bytes as there is room for.
  private final class Sink: RelaySink {
    var room = 0
    var isBroken = false
    var taken: [UInt8] = []

    func writeAvailable(_ bytes: Span<UInt8>) -> Int {
      let count = min(room, bytes.count)
      for index in 0..<count { taken.append(bytes[index]) }
      room -= count
      return count
    }

    func writeAll(_ bytes: Span<UInt8>) { _ = writeAvailable(bytes) }
  }

  private static func pass(_ window: inout ByteWindow, isFinal: Bool, into bytes: inout [UInt8]) -> Bool {
    for index in window.range { bytes.append(window.storage[index]) }
    window.consume(window.count)
    return true
  }

  @Test func bytesBeforeABreakAreDelivered() throws {
    let (source, sink) = (Source([1, 2, 3]), Sink())
    var direction = RelayDirection()
    try direction.turn(from: source, to: sink, Self.pass)
    // The source is broken now; the sink has no room yet.
    for _ in 0..<2 { try direction.turn(from: source, to: sink, Self.pass) }
    #expect(direction.cut is Broken && !direction.wantsInput && !direction.isDone)
    sink.room = 2
    try direction.turn(from: source, to: sink, Self.pass)
    #expect(sink.taken == [1, 2])
    sink.room = 2
    #expect(throws: Broken.self) { try direction.turn(from: source, to: sink, Self.pass) }
    #expect(sink.taken == [1, 2, 3])
  }

  @Test func aBreakWithoutBytesIsReportedAtOnce() {
    let (source, sink) = (Source([]), Sink())
    source.left = nil
    var direction = RelayDirection()
    #expect(throws: Broken.self) { try direction.turn(from: source, to: sink, Self.pass) }
  }

  /// Makes much of each byte, and leaves the others for the next call.
  private static func enlarge(_ window: inout ByteWindow, isFinal: Bool, into bytes: inout [UInt8]) -> Bool {
    guard !window.isEmpty else { return true }
    bytes += [UInt8](repeating: window.storage[window.range.lowerBound], count: 300 << 10)
    window.consume(1)
    return true
  }

  /// The transform goes on once the sink has room, also after the end of the source.
  @Test(arguments: [true, false]) func longOutputWaitsForTheSink(isEnding: Bool) throws {
    let (source, sink) = (Source([1, 2, 3]), Sink())
    var direction = RelayDirection()
    try direction.turn(from: source, to: sink, Self.enlarge)
    source.left = []
    if isEnding { try direction.end(Self.enlarge) }
    for taken in 1...3 {
      for _ in 0..<2 { try direction.turn(from: source, to: sink, Self.enlarge) }
      #expect(!direction.isDone && !direction.wantsInput && sink.taken.count == (taken - 1) * 300 << 10)
      sink.room = 300 << 10
      try direction.turn(from: source, to: sink, Self.enlarge)
    }
    source.left = []
    try direction.turn(from: source, to: sink, Self.enlarge)
    #expect(sink.taken.count == 900 << 10 && sink.taken.last == 3 && direction.isDone)
  }

  /// A sink that breaks takes nothing more, so the error of the source does not wait for it.
  @Test(arguments: [true, false]) func whatABrokenSinkHasNotTakenIsLost(isWritten: Bool) throws {
    let (source, sink) = (Source([1, 2, 3]), Sink())
    var direction = RelayDirection()
    sink.room = isWritten ? 3 : 2
    try direction.turn(from: source, to: sink, Self.pass)
    sink.isBroken = true
    #expect(throws: Broken.self) {
      for _ in 0..<2 { try direction.turn(from: source, to: sink, Self.pass) }
    }
    #expect(direction.hasLostOutput == !isWritten)
  }

  /// A Unix socket whose other end closed is broken, although it has no error.
  @Test func aClosedSocketIsBroken() {
    var ends: [CInt] = [-1, -1]
    #if os(Linux)
      let kind = CInt(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    #expect(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let socket = Descriptor(owning: ends[0], name: "socket")
    let wasBroken = socket.isBroken
    close(ends[1])
    let isBroken = socket.isBroken
    #expect(!wasBroken && isBroken)
  }
}
