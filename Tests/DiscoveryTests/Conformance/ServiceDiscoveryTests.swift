@testable import Discovery
import JSONLines
import SyncCore
import SystemIO
import Testing

/// RFC 6763: services.
@Suite struct ServiceDiscoveryTests {
  @Test("RFC 6763 §4.1 MUST: a service is a PTR record of its type that leads to its instance")
  func typeLeadsToInstance() {
    var advertiser = Stage.readyAdvertiser()
    let answers = advertiser.hear(.query([Question(Stage.service.name, .ptr)]), at: Stage.ready).flatMap(
      \.message.answers)
    #expect(answers == [Stage.pointer()])
  }

  @Test("RFC 6763 §4.1.1 MUST: an instance name is any text of up to 63 bytes, periods included")
  func instanceNamesAreText() {
    let instance = Stage.service.name.prefixed(by: "Dr. Ünal's box.2")!
    #expect(instance.description == #"Dr\. Ünal's box\.2._appsync._tcp.local"#)
    #expect(DomainName(instance.description) == instance)
    #expect(Stage.service.name.prefixed(by: String(repeating: "x", count: 64)) == nil)
    #expect(Stage.service.name.prefixed(by: "") == nil)
  }

  @Test("RFC 6763 §5 MUST: an instance has an SRV record with its host and port")
  func instanceHasALocation() {
    var advertiser = Stage.readyAdvertiser()
    let sent = advertiser.hear(.query([Question(Stage.kitchen, .srv)]), at: Stage.ready)
    #expect(sent[0].message.answers == [Stage.location(host: advertiser.host)])
  }

  @Test("RFC 6763 §6.1 MUST: an instance has a TXT record, with one empty string if pairs are missing")
  func emptyTextIsOneEmptyString() {
    #expect(TextRecord().strings == [0])
    #expect(TextRecord(reading: [0]) == TextRecord())
    #expect(TextRecord(reading: []) == TextRecord())
  }

  @Test("RFC 6763 §6.4 MUST: keys are printable ASCII without =, and are compared without regard to case")
  func keysAreChecked() {
    let strings = ["id=K1", "ID=K2", "=x", "k\u{e9}y=1", "flag", "empty=", "a=b=c"]
    let record = TextRecord(reading: strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) })
    #expect(
      record.pairs == [
        .init("id", Array("K1".utf8)), .init("flag", nil), .init("empty", []), .init("a", Array("b=c".utf8)),
      ])
    #expect(record.text("Id") == "K1")
  }

  @Test("RFC 6763 §6.4 MUST: the first of two equal keys counts")
  func firstKeyCounts() {
    let record = TextRecord(reading: Array("\u{3}a=1\u{3}A=2".utf8))
    #expect(record.text("a") == "1")
  }

  @Test("RFC 6763 §6.5 MUST: a value may have any bytes")
  func valuesAreBytes() {
    let record = TextRecord(reading: [4, 98, 61, 0xFF, 0])
    #expect(record["b"]?.value == [0xFF, 0])
    #expect(record.text("b") == nil)
    #expect(record.json["b"] == ["base64": "/wA="])
  }

  @Test(
    "RFC 6763 §7 MUST: a type is _name._tcp or _name._udp, the name of at most 15 letters, digits and hyphens",
    arguments: [
      ("_appsync._tcp", true), ("_appsync._tcp.local", true), ("_appsync._udp.local.", true),
      ("_a-1._tcp", true),
      ("appsync._tcp", false), ("_appsync", false), ("_appsync._sctp", false), ("_._tcp", false),
      ("_abcdefghijklmnop._tcp", false), ("_-a._tcp", false), ("_a--b._tcp", false), ("_1._tcp", false),
      ("_a_b._tcp", false), ("x._appsync._tcp", false), ("", false), (".", false),
    ])
  func typesAreChecked(text: String, isType: Bool) {
    #expect((DNSServiceType(text) != nil) == isType)
  }

  @Test("RFC 6763 §9 MUST: a type is listed under _services._dns-sd._udp")
  func typesAreListed() {
    var advertiser = Stage.readyAdvertiser()
    let sent = advertiser.hear(.query([Question(DNSServiceType.enumeration, .ptr)]), at: Stage.ready)
    #expect(sent[0].message.answers.map(\.data) == [.pointer(Stage.service.name)])
    var browser = Browser(.types, random: SplitMix64(seed: 1))
    browser.addLink(Stage.link, at: .zero, isStart: true, allowsUnicast: false)
    for item in sent { _ = browser.hear(item.message, at: .ms(10)) }
    #expect(browser.takeEvents() == [.type("_appsync._tcp")])
  }

  @Test("RFC 6763 §12.1 SHOULD: a PTR answer includes SRV, TXT and address records")
  func pointerBringsAll() {
    var advertiser = Stage.readyAdvertiser()
    let message = advertiser.hear(.query([Question(Stage.service.name, .ptr)]), at: Stage.ready)[0].message
    #expect(Set(message.additionals.map(\.type)).isSuperset(of: [.srv, .txt, .a]))
    var browser = Stage.browser()
    let asked = browser.hear(message, at: .ms(10), until: .ms(900)).queries
    #expect(browser.takeEvents().count == 1)
    #expect(asked.count == 1, "the first query, and none for more")
  }

  @Test("RFC 6763 §12.2 SHOULD: an SRV answer includes address records")
  func locationBringsAddresses() {
    var advertiser = Stage.readyAdvertiser()
    let message = advertiser.hear(.query([Question(Stage.kitchen, .srv)]), at: Stage.ready)[0].message
    #expect(message.additionals.map(\.type).contains(.a))
  }

  @Test("RFC 6763 §12 MUST: records that an answer lacks are queried")
  func missingRecordsAreAskedFor() {
    var browser = Stage.browser()
    let first = browser.hear(.response([Stage.pointer()]), at: .ms(500), until: .ms(999)).queries
    #expect(Set(first.dropFirst().flatMap(\.message.questions).map(\.type)) == [.srv, .txt])
    let second = browser.hear(.response([Stage.location(), Stage.text()]), at: .ms(1_000), until: .ms(1_500))
      .queries
    #expect(Set(second.flatMap(\.message.questions).map(\.type)).isSuperset(of: [.a, .aaaa]))
    _ = browser.hear(.response([Stage.place()]), at: .ms(1_600), until: .ms(1_700))
    #expect(browser.takeEvents().count == 1)
  }
}
