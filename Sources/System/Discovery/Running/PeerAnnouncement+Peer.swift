package import SystemIO

extension PeerAnnouncement {
  /// Announces a device that takes links.
  ///
  /// Its TXT record has `pv`, the version of the peer protocol, and `id`. Without an id the device waits to be paired with,
  /// and has `pairing` in place of it. In version 1 the record is empty: the first apps go by the name alone.
  package convenience init(
    ofPeer id: String?, named name: String, version: Int, port: Int, interface: String?,
    report: @escaping (AdvertisementEvent) -> Void
  ) throws(SystemError) {
    var txt = TextRecord()
    if version > 1 {
      _ = txt.add("pv=\(version)")
      _ = txt.add(id.map { "id=\($0)" } ?? TextRecord.pairing)
    }
    let host = HostName.short
    let advertisement = Advertisement(
      name: InstanceName.cut(name[...], to: 63), service: .peers, port: UInt16(port), txt: txt, host: host)
    // A device's name is never empty.
    try self.init(
      Advertiser(advertisement, random: DiscoveryRun.random())!, interface: interface, report: report)
  }
}
