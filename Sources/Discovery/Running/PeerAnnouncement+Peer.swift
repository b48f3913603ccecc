package import SystemIO

extension PeerAnnouncement {
  /// Announces a device that takes links, with what a TXT record says of it: `pv`, the version of the peer protocol, and
  /// `id`; without an id it waits to be paired with, and has `pairing` in place of it.
  package convenience init(
    ofPeer id: String?, named name: String, version: Int, port: Int, interface: String?,
    report: @escaping (AdvertisementEvent) -> Void
  ) throws(SystemError) {
    var txt = TextRecord()
    _ = txt.add("pv=\(version)")
    _ = txt.add(id.map { "id=\($0)" } ?? TextRecord.pairing)
    let host = HostName.short
    let advertisement = Advertisement(
      name: InstanceName.cut(name[...], to: 63), service: .peers, port: UInt16(port), txt: txt, host: host)
    // A device's name is never empty.
    try self.init(
      Advertiser(advertisement, random: DiscoveryRun.random())!, interface: interface, report: report)
  }
}
