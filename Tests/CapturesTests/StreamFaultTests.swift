import Captures
import JSONLines
import SyncCore
import Testing

/// Bytes that are missing, or repeated with other values, and streams that begin in the middle, or do not
/// end.
@Suite struct StreamFaultTests {
  private let talk = Talk()
  private let text = Array(0..<20 as Range<UInt8>)

  private func piece(_ range: Range<Int>) -> [UInt8] { talk.client(at: range.lowerBound, Array(text[range])) }

  @Test func aHoleIsAGapWhereTheBytesWere() {
    var reading = Reading()
    reading.read(talk.handshake + [piece(0..<5), piece(12..<15), piece(18..<20)])
    #expect(reading.bytes() == Array(text[0..<5]), "nothing comes before its turn")
    reading.finish()
    #expect(
      reading.parts(0, from: 51_000) == [
        .bytes(Array(text[0..<5])), .gap(7), .bytes(Array(text[12..<15])), .gap(3),
        .bytes(Array(text[18..<20])),
      ])
    #expect(reading.output.gaps == 2 && reading.output.missing == 10)
  }

  @Test func whatTheOtherSideHasIsNotWaitedForLong() {
    var reading = Reading()
    reading.read(talk.handshake + [piece(0..<5), piece(10..<20), talk.server(ack: 20)])
    reading.read([talk.server(ack: 20)], later: 1_900)
    #expect(reading.bytes() == Array(text[0..<5]))
    reading.read([talk.server(ack: 20)], later: 200)
    #expect(
      reading.parts(0, from: 51_000)
        == [.bytes(Array(text[0..<5])), .gap(5), .bytes(Array(text[10..<20]))])
    reading.read([piece(4..<10)])
    #expect(reading.output.findings.map(\.code) == [.strayBytes], "too late")
    #expect(reading.parts(0, from: 51_000).count == 3)
  }

  @Test func whatTheOtherSideDoesNotHaveIsWaitedFor() {
    var reading = Reading()
    reading.read(talk.handshake + [piece(0..<5), piece(10..<20), talk.server(ack: 5)])
    reading.read([piece(5..<10)], later: 100_000)
    #expect(reading.bytes() == text)
  }

  /// The last bytes are missing: the FIN, or an acknowledgment, says so.
  @Test func missingAtTheEnd() {
    for last in [talk.client(Wire.Flag.fin, at: 20), talk.server(ack: 20)] {
      var reading = Reading()
      reading.read(talk.handshake + [piece(0..<5), last])
      reading.finish()
      #expect(reading.parts(0, from: 51_000) == [.bytes(Array(text[0..<5])), .gap(15)])
    }
    var reading = Reading()
    reading.read(talk.handshake + [piece(0..<20), talk.client(Wire.Flag.fin, at: 20), talk.server(ack: 21)])
    reading.finish()
    #expect(reading.bytes() == text)
  }

  @Test func packetsThatWereCutShort() {
    var reading = Reading()
    reading.read(talk.handshake)
    let packet = piece(0..<10)
    reading.read([Array(packet.prefix(packet.count - 4))], wireLength: packet.count)
    reading.read([piece(10..<20)])
    reading.finish()
    #expect(
      reading.parts(0, from: 51_000) == [.bytes(Array(text[0..<6])), .gap(4), .bytes(Array(text[10..<20]))])
  }

  /// No later packet shows that something is missing.
  @Test(arguments: [6, 0])
  func theLastPacketWasCutShort(captured: Int) {
    var reading = Reading()
    reading.read(talk.handshake)
    let packet = piece(0..<10)
    reading.read([Array(packet.prefix(packet.count - 10 + captured))], wireLength: packet.count)
    reading.finish()
    let bytes = captured > 0 ? [Reading.Part.bytes(Array(text[0..<captured]))] : []
    #expect(reading.parts(0, from: 51_000) == bytes + [.gap(10 - captured)])
  }

  /// Cut in the header of Ethernet, of IPv6, or of TCP: it is unknown which stream lacks data.
  @Test(arguments: [13, 20, 53, 54, 67])
  func aPacketWithoutItsHeadersIsCounted(captured: Int) {
    let packet = Wire.ethernet(Wire.ipv6(Wire.tcp(51_000, 27_421, 1, 0, [1, 2, 3])))
    var reading = Reading(.ethernet)
    reading.read([Array(packet.prefix(captured))], wireLength: packet.count)
    reading.finish()
    #expect(reading.lines.isEmpty && reading.reader.cut == 1 && reading.reader.others == 0)
  }

  @Test func aDatagramWithoutItsHeaderIsCounted() {
    let packet = Wire.ipv4(Wire.udp(5_353, 5_353, [1]), transport: 17)
    for (port, cut) in [(5_353, 1), (nil, 0)] as [(UInt16?, Int)] {
      var reading = Reading(datagramsOf: port)
      reading.read([Array(packet.prefix(25))], wireLength: packet.count)
      #expect(reading.reader.cut == cut && reading.reader.others == 1 - cut)
    }
  }

  @Test func otherBytesAreReportedAndTheFirstAreKept() {
    // Before they were written, and after.
    for isWritten in [true, false] {
      var reading = Reading()
      reading.read(talk.handshake + (isWritten ? [piece(0..<5)] : []))
      reading.read([piece(5..<15), talk.client(at: 8, [8, 99, 98, 11]), piece(0..<20)])
      #expect(reading.bytes() == text)
      #expect(reading.output.findings.map(\.code) == [.overlappingBytes])
      let finding = reading.output.findings.first?.message ?? ""
      #expect(
        finding.hasSuffix("offset 8: 2 bytes repeated with another value; the first is kept"), "\(finding)")
    }
  }

  @Test func aKeepAliveIsNoOverlap() {
    var reading = Reading()
    reading.read(talk.handshake + [piece(0..<20), talk.client(at: 19, [0xFF]), talk.client(at: 19)])
    #expect(reading.bytes() == text && reading.output.findings.isEmpty)
  }

  /// Its number is that of the byte before the next one, which is not missing.
  @Test func aCaptureMayBeginWithAKeepAlive() {
    let keepAlive = talk.client(at: 4, ack: 0)
    let openings = [
      [keepAlive], [keepAlive, keepAlive], [keepAlive, talk.server(ack: 5)], [keepAlive, talk.client(at: 5)],
      [keepAlive, talk.server(ack: 5), talk.client(at: 4, [0xFF])], [talk.client(at: 5), keepAlive],
    ]
    for opening in openings {
      var reading = Reading()
      reading.read(opening + [piece(5..<10), piece(10..<20), talk.client(Wire.Flag.fin, at: 20)])
      reading.finish()
      #expect(reading.bytes() == Array(text[5...]), "\(opening.count) packets before")
      #expect(reading.output.gaps == 0 && reading.output.findings.isEmpty)
    }
  }

  @Test func aKeepAliveBeforeTheEndOfAStream() {
    for end in [talk.client(Wire.Flag.fin, at: 5), talk.client(Wire.Flag.rst, at: 5)] {
      var reading = Reading()
      reading.read([talk.client(at: 4, ack: 0), end, talk.server(ack: 6)])
      reading.finish()
      #expect(reading.lines.isEmpty && reading.output.gaps == 0)
    }
  }

  /// After an empty segment, too.
  @Test func whatIsMissingAfterTheFirstPacketIsAGap() {
    var later = Reading()
    later.read([talk.client(at: 5, ack: 0), talk.server(ack: 5), piece(7..<20)])
    later.finish()
    #expect(later.parts(0, from: 51_000) == [.gap(2), .bytes(Array(text[7...]))])
    var answered = Reading()
    answered.read([talk.client(at: 4, ack: 0), talk.server(ack: 5), piece(7..<20)])
    answered.finish()
    #expect(answered.parts(0, from: 51_000) == [.gap(2), .bytes(Array(text[7...]))], "not the keep-alive's")
    // Known from the SYN, or from an earlier byte.
    for opening in [talk.handshake, talk.handshake + [talk.client(at: 0)]] {
      var known = Reading()
      known.read(opening + [piece(1..<20)])
      known.finish()
      #expect(known.parts(0, from: 51_000) == [.gap(1), .bytes(Array(text[1...]))])
    }
    var cut = Reading()
    cut.read([talk.client(at: 5, ack: 0)])
    let packet = piece(5..<6)
    cut.read([Array(packet.dropLast())], wireLength: packet.count)
    cut.read([talk.server(ack: 6), piece(6..<20)])
    cut.finish()
    #expect(cut.parts(0, from: 51_000) == [.gap(1), .bytes(Array(text[6...]))])
  }

  @Test func aStreamMayBeginInItsMiddle() {
    var reading = Reading()
    reading.read([piece(5..<10), talk.server(at: 7, [1], ack: 10), piece(2..<12)])
    #expect(reading.bytes() == Array(text[5..<12]))
    #expect(reading.bytes(from: 27_421) == [1])
    reading.finish()
    #expect(reading.output.gaps == 0 && reading.output.findings.map(\.code) == [.strayBytes])
  }

  @Test func portsAreUsedAgain() {
    var again = talk
    again.starts = (400_000, 9)
    var reading = Reading()
    reading.read(talk.handshake + [piece(0..<5), talk.server(Wire.Flag.rst, at: 0)])
    reading.read([talk.handshake[0]] + again.handshake + [again.client(at: 0, [7])])
    #expect(reading.bytes(0) == Array(text[0..<5]))
    #expect(reading.bytes(1) == [7])
  }

  @Test func aSegmentFarAwayIsLeftOut() {
    var reading = Reading()
    reading.read(talk.handshake + [piece(0..<5), talk.client(at: 1 << 31, [1]), piece(5..<20)])
    reading.finish()
    #expect(reading.bytes() == text && reading.output.findings.map(\.code) == [.strayBytes])
  }

  /// In a stream that was open before the capture, nothing is left out silently.
  @Test func bytesFromBeforeTheFirstPacketAreReported() {
    var reading = Reading()
    reading.read([piece(5..<10), piece(2..<7), piece(10..<20)])
    reading.finish()
    #expect(reading.bytes() == Array(text[5...]) && reading.output.findings.map(\.code) == [.strayBytes])
    #expect(reading.output.findings[0].message.contains("left out 3 bytes before"))
  }

  /// A byte before the start is not a keep-alive's if later bytes, or a FIN, are known.
  @Test func aByteFromBeforeAProvisionalStartIsReported() {
    let packet = piece(6..<20)
    let openings: [([[UInt8]], wireLength: Int?, end: Int)] = [
      ([packet], nil, 20), ([Array(packet.dropLast(14))], packet.count, 6),
      ([talk.client(Wire.Flag.fin, at: 6)], nil, 6),
    ]
    for (packets, wireLength, end) in openings {
      var reading = Reading()
      reading.read([talk.client(at: 5, ack: 0)])
      reading.read(packets, wireLength: wireLength)
      reading.read([piece(5..<6)])
      #expect(reading.bytes() == Array(text[6..<end]) && reading.output.findings.map(\.code) == [.strayBytes])
      #expect(reading.output.findings.first?.message.contains("left out 1 byte before") == true)
    }
  }

  /// One fault for each packet would be as many lines as there are packets.
  @Test func ofAStreamOnlySomeFaultsAreListed() {
    var reading = Reading()
    reading.read((0..<20).reversed().map { piece($0..<$0 + 1) })
    reading.finish()
    #expect(reading.output.found == 19 && reading.output.findings.count == 10 && reading.output.unlisted == 9)
  }

  @Test func streamsDoNotMix() {
    var other = talk
    other.ports.client = 51_001
    var reading = Reading()
    reading.read(talk.handshake + other.handshake)
    reading.read([piece(0..<5), other.client(at: 0, [1, 2]), talk.server(at: 0, [3], ack: 5), piece(5..<20)])
    #expect(reading.bytes(0) == text && reading.bytes(0, from: 27_421) == [3])
    #expect(reading.bytes(1, from: 51_001) == [1, 2])
  }

  /// Many streams with a hole each take no more memory than they may, and each is reported that is forgotten.
  @Test func memoryIsBounded() {
    var reading = Reading(memory: 1 << 20)
    let block = [UInt8](repeating: 1, count: 1_000)
    for number in 0..<2_000 {
      var talk = talk
      talk.ports.client = 10_000 + number
      reading.read([talk.handshake[0], talk.client(at: 1_000, block)])
    }
    let listed = reading.output.findings.filter { $0.code == .streamEvicted }.count
    let evicted = reading.output.found
    #expect(
      evicted > 1_000 && evicted < 2_000 && listed == 1_000 && reading.output.unlisted == evicted - 1_000)
    reading.finish()
    #expect(reading.output.gaps == 2_000, "what waited is written")
  }

  /// Streams that have ended are forgotten silently.
  @Test func whatHasEndedIsForgottenFirst() {
    var reading = Reading(memory: 1 << 20)
    reading.read(talk.handshake + [piece(0..<5)])
    for number in 0..<3_000 {
      var other = talk
      other.ports.client = 20_000 + number
      reading.read(other.handshake + [other.client(at: 0, [UInt8](repeating: 1, count: 1_000))])
      reading.read([
        other.client(Wire.Flag.fin, at: 1_000), other.server(Wire.Flag.fin, at: 0, ack: 1_001),
      ])
    }
    reading.read([piece(5..<20)])
    #expect(reading.output.findings.isEmpty && reading.bytes(0) == text)
  }
}
