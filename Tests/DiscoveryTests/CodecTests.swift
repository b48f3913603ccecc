@testable import Discovery
import JSONLines
import SyncCore
import SystemIO
import TestSupport
import Testing

/// Messages on the wire: written ones are read back, and no input does harm.
@Suite struct CodecTests {
  private static let message: DNSMessage = {
    var message = Stage.announcement()
    message.id = 5
    message.questions = [Question(Stage.service.name, .ptr, wantsUnicast: true)]
    message.authorities = [
      ResourceRecord(
        Stage.host, .nextSecure(next: Stage.host, types: [.a, .aaaa, RecordType(rawValue: 300)]), ttl: 1,
        isUnique: true)
    ]
    message.additionals = [
      ResourceRecord(Stage.host, .address(.v6(0xFE80 << 48, 9)), ttl: 120, isUnique: true),
      ResourceRecord(
        Stage.host, RecordType(rawValue: 99), ttl: 7, isUnique: false,
        .other(RecordType(rawValue: 99), [1, 2])),
    ]
    return message
  }()

  @Test(arguments: [false, true])
  func whatIsWrittenIsRead(forLegacy: Bool) throws {
    let bytes = Self.message.encoded(forLegacy: forLegacy)
    #expect(try DNSMessage(reading: bytes.span) == Self.message)
  }

  @Test func everyTruncationIsRefused() {
    let bytes = Self.message.encoded()
    for count in 0..<bytes.count {
      let part = Array(bytes[..<count])
      #expect(throws: DNSMessageError.self) { try DNSMessage(reading: part.span) }
    }
  }

  @Test func everyFlippedByteIsRead() {
    let bytes = Self.message.encoded()
    for index in bytes.indices {
      for mask in [1, 0x80, 0xC0, 0xFF] as [UInt8] {
        var other = bytes
        other[index] ^= mask
        guard let message = try? DNSMessage(reading: other.span) else { continue }
        let again = message.encoded()
        #expect((try? DNSMessage(reading: again.span)) == message, "byte \(index), mask \(mask)")
      }
    }
  }

  /// A query whose one name is given as hex.
  private func query(_ name: String) -> [UInt8] { Array(hex: "000000000001000000000000" + name + "000c0001") }

  @Test(arguments: [
    ("c00c", DNSMessageError.pointerLoop(offset: 12)),
    ("c00d", .pointerLoop(offset: 12)),
    ("0161c00c", .pointerLoop(offset: 14)),
    ("c0ff", .pointerLoop(offset: 12)),
    ("8061", .invalidLabel(offset: 12)),
    ("4061", .invalidLabel(offset: 12)),
    ("3f61", .truncated(offset: 12)),
  ])
  func badNamesAreRefused(name: String, error: DNSMessageError) {
    let bytes = query(name)
    #expect(throws: error) { try DNSMessage(reading: bytes.span) }
  }

  @Test func namesAreBounded() {
    let label = "3f" + String(repeating: "61", count: 63)
    let fits = query(label + label + label + "3d" + String(repeating: "61", count: 61) + "00")
    let tooLong = query(label + label + label + "3e" + String(repeating: "61", count: 62) + "00")
    #expect((try? DNSMessage(reading: fits.span))?.questions[0].name.wire.count == 254)
    #expect(throws: DNSMessageError.nameTooLong(offset: 12)) { try DNSMessage(reading: tooLong.span) }
  }

  /// The data of one record holds pointers, each leading to the one before, and the next record's name is the last.
  private func chain(of pointers: Int) -> [UInt8] {
    var chain: [UInt8] = [1, 97, 0]
    for index in 0..<pointers {
      let target = index == 0 ? 23 : 26 + 2 * (index - 1)
      chain += [0xC0 | UInt8(target >> 8), UInt8(target & 0xFF)]
    }
    let length = [UInt8(chain.count >> 8), UInt8(chain.count & 0xFF)]
    let last = 26 + 2 * (pointers - 1)
    return Array(hex: "000084000000000200000000" + "00" + "0063000100000000") + length + chain
      + [0xC0 | UInt8(last >> 8), UInt8(last & 0xFF)] + Array(hex: "00630001000000000000")
  }

  @Test func longChainsOfPointersAreRefused() throws {
    let (fits, tooLong) = (chain(of: 126), chain(of: 127))
    let message = try DNSMessage(reading: fits.span)
    #expect(message.answers[1].name.description == "a")
    #expect(throws: DNSMessageError.tooManyPointers(offset: 26)) { try DNSMessage(reading: tooLong.span) }
  }

  @Test(arguments: Tries.some([1, 2, 3, 4]))
  func randomBytesDoNoHarm(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if bytes.count >= 12 {
        for index in [4, 6, 8, 10] { bytes[index] = 0 }
        for index in [5, 7, 9, 11] { bytes[index] %= 3 }
      }
      guard let message = try? DNSMessage(reading: bytes.span) else { continue }
      let again = message.encoded()
      #expect((try? DNSMessage(reading: again.span)) == message, "seed \(seed)")
    }
  }

  @Test func headersArePassedOver() {
    let message = Self.message.encoded()
    let size = message.count + 8
    let word = { (number: Int) in [UInt8(number >> 8), UInt8(number & 0xFF)] }
    let datagram = Array(hex: "14e914e9") + word(size) + [0, 0] + message
    let four =
      Array(hex: "4500") + word(size + 20) + Array(hex: "00004000ff1100000a4d0001e00000fb") + datagram
    let six =
      Array(hex: "60000000") + word(size) + Array(hex: "11ff") + [UInt8](repeating: 0xFE, count: 32)
      + datagram
    let frame = { (type: String, packet: [UInt8]) in
      Array(hex: "01005e0000fb020000000001" + type) + packet + [0, 0, 0]
    }
    for packet in [message, four, six, frame("0800", four), frame("86dd", six)] {
      #expect(UDPPayload.message(in: packet) == message)
    }
    let cut = Array(four.dropLast())
    #expect(UDPPayload.message(in: cut) == cut)
    for count in 0..<four.count { _ = UDPPayload.message(in: Array(four[..<count])) }
  }

  @Test func namesAreShownAndReadAgain() {
    #expect(DomainName("a.b.")?.labels.count == 2)
    #expect(DomainName(#"a\.b.c"#)?.labels.count == 2)
    #expect(DomainName(#"\097.c"#) == DomainName("a.c"))
    #expect(
      DomainName("a..b") == nil && DomainName("") == nil && DomainName(#"a\"#) == nil
        && DomainName(#"\256"#) == nil)
  }

  @Test func marksHideNoPeriod() {
    let name = DomainName(labels: ["a.\u{301}b", "c"])!
    #expect(DomainName(name.description)?.labels == name.labels)
    var record = TextRecord()
    #expect(record.add("k=\u{301}v") && record.text("k") == "\u{301}v")
  }

  @Test func numbersOfNamesAreCut() {
    #expect(InstanceName.next(after: "Kitchen") == "Kitchen (2)")
    #expect(InstanceName.next(after: "Kitchen (2)") == "Kitchen (3)")
    #expect(InstanceName.next(after: "Kitchen (02)") == "Kitchen (02) (2)")
    #expect(InstanceName.next(after: "(2)") == "(2) (2)")
    let long = InstanceName.next(after: String(repeating: "ü", count: 31))
    #expect(long == String(repeating: "ü", count: 29) + " (2)")
  }

  @Test func eventLinesAreShown() {
    var browser = Stage.browser()
    _ = browser.hear(Stage.announcement(), at: .seconds(1))
    let line = browser.takeEvents()[0].line(at: Instant("2026-01-02T03:04:05Z")!).text
    #expect(
      line
        == #"{"event":"peerDiscovered","peer":{"id":"K1","name":"Kitchen"},"instance":"Kitchen","service":"_appsync._tcp","host":"box.local","port":7000,"addresses":[{"address":"10.77.0.9","interface":"eth0"}],"txt":{"id":"K1"},"at":"2026-01-02T03:04:05.000Z"}"#
    )
  }
}
