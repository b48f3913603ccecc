@testable import Discovery
import SyncCore
import SystemIO
import Testing

/// RFC 6762 §16 to §18: names, sizes, headers.
@Suite struct MessageFormTests {
  @Test("RFC 6762 §16 MUST: names are compared without regard to the case of ASCII letters alone")
  func caseOfNames() {
    #expect(DomainName("KITCHEN._AppSync._TCP.Local") == Stage.kitchen)
    #expect(DomainName("Küche.local") != DomainName("KÜCHE.local"))
    #expect(DomainName("Küche.local") == DomainName("KüCHE.local"))
    var advertiser = Stage.readyAdvertiser()
    let shouting = Question(DomainName("_APPSYNC._TCP.LOCAL")!, .ptr)
    #expect(advertiser.hear(.query([shouting]), at: Stage.ready).count == 1)
  }

  @Test("RFC 6762 §16 MUST: labels are UTF-8 and keep their case")
  func labelsAreText() {
    #expect(DomainName(labels: ["Ännes Gerät", "_appsync", "_tcp", "local"])?.firstLabel == "Ännes Gerät")
  }

  @Test("RFC 6762 §17 MUST: packets have at most 9000 bytes, and ours are not larger than an Ethernet packet")
  func packetsAreSmall() {
    let many = (0..<400).map { Stage.pointer(DomainName("Peer \($0)._appsync._tcp.local")!) }
    #expect(MessagePacker.responses(many).allSatisfy { $0.encoded().count <= 1_452 })
    #expect(MessagePacker.responses(many).flatMap(\.answers) == many)
    let large = [UInt8](repeating: 0, count: 9_001)
    #expect(throws: DNSMessageError.tooLarge(size: 9_001)) { try DNSMessage(reading: large.span) }
  }

  @Test("RFC 6762 §18.3 MUST: messages with another operation than a query are ignored")
  func otherOperationsAreIgnored() {
    var browser = Stage.browser()
    var message = Stage.announcement()
    message.flags |= 0x2800
    _ = browser.hear(message, at: .seconds(1))
    #expect(browser.takeEvents().isEmpty)
    var advertiser = Stage.readyAdvertiser()
    var query = DNSMessage.query([Question(Stage.kitchen, .srv)])
    query.flags |= 0x2000
    #expect(advertiser.hear(query, at: Stage.ready).isEmpty)
  }

  @Test("RFC 6762 §18.11 MUST: messages that report an error are ignored")
  func errorsAreIgnored() {
    var browser = Stage.browser()
    var message = Stage.announcement()
    message.flags |= 3
    _ = browser.hear(message, at: .seconds(1))
    #expect(browser.takeEvents().isEmpty)
  }

  @Test("RFC 6762 §18.1 MUST: the identifier of a multicast response is ignored")
  func identifierIsIgnored() {
    var browser = Stage.browser()
    var message = Stage.announcement()
    message.id = 4_711
    _ = browser.hear(message, at: .seconds(1))
    #expect(browser.takeEvents().count == 1)
  }

  @Test("RFC 6762 §18.14 SHOULD: names are compressed, also in PTR, SRV and NSEC data")
  func namesAreCompressed() throws {
    let message = DNSMessage.response([
      Stage.pointer(), Stage.location(),
      ResourceRecord(Stage.host, .nextSecure(next: Stage.host, types: [.a]), ttl: 120, isUnique: true),
    ])
    let bytes = message.encoded()
    let local = Array("\u{5}local".utf8)
    #expect(bytes.indices.filter { bytes[$0...].starts(with: local) }.count == 1)
    #expect(try DNSMessage(reading: bytes.span) == message)
  }
}
