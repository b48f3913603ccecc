package import SystemIO

/// Announces a service from within another loop.
package final class PeerAnnouncement: LoopCompanion {
  private var run: DiscoveryRun
  private var advertiser: Advertiser
  private let report: (AdvertisementEvent) -> Void
  private var hasEnded = false

  /// Starts to announce a service; throws if the port of multicast DNS is not available.
  package init(
    _ advertiser: Advertiser, interface: String?, report: @escaping (AdvertisementEvent) -> Void
  ) throws(SystemError) {
    run = try DiscoveryRun(interfaces: interface.map { [$0] } ?? [])
    self.advertiser = advertiser
    self.report = report
  }

  deinit { end() }

  package func watch(_ polls: inout PollSet) { run.watch(&polls) }

  package var deadline: Duration? { run.deadline(of: advertiser) }

  package func advance(at now: Duration) {
    if hasEnded { return }
    run.turn(&advertiser)
    advertiser.takeEvents().forEach(report)
  }

  /// Sends the goodbye, once.
  package func end() {
    if hasEnded { return }
    hasEnded = true
    run.end(&advertiser)
    advertiser.takeEvents().forEach(report)
  }

  /// Announces a device that accepts links; a device without an id waits to be paired.
  package convenience init(
    ofPeer id: String?, named name: String, version: Int, port: Int, interface: String?,
    report: @escaping (AdvertisementEvent) -> Void
  ) throws(SystemError) {
    let txt = TextRecord(ofPeer: id, version: version)
    let host = HostName.short
    let advertisement = Advertisement(
      name: name[...].cut(toBytes: 63), service: .peers, port: UInt16(port), txt: txt, host: host)
    // A device's name is never empty.
    try self.init(
      Advertiser(advertisement, random: DiscoveryRun.random())!, interface: interface, report: report)
  }
}
