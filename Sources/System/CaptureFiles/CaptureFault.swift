import JSONLines

/// Converts libpcap's text about a fault to a diagnostic.
enum CaptureFault {
  /// `count` is the number of packets before the fault; nil if the file could not be opened.
  static func diagnostic(_ text: String, file: String, after count: Int? = nil) -> Diagnostic {
    if text.contains("different from the type") {
      return Diagnostic(
        .unsupportedLinkType, "the capture has packets of several link types", file: file,
        hint:
          "keep the packets of one interface: capinfos OLD shows its type, such as ether; tshark -r OLD -Y "
          + "'frame.interface_id == 0' -w ONE; editcap -F pcap -T ether ONE NEW"
      )
    }
    if text.contains("different from the snapshot length") {
      return Diagnostic(
        .unsupportedLinkType, "the interfaces of the capture have several snapshot lengths", file: file,
        hint: "make a capture with one snapshot length: editcap -F pcap OLD NEW")
    }
    if text.hasPrefix("error reading") { return Diagnostic(.readFailed, text, file: file) }
    if text.hasSuffix("only got 0"), count == nil {
      return Diagnostic(.truncatedCapture, "the capture is empty", file: file)
    }
    if count == nil, !text.hasPrefix("truncated") {
      return Diagnostic(
        .notACapture, "not a capture: \(text)", file: file,
        hint: "use a pcap or pcapng file, the formats that tcpdump -w and Wireshark write")
    }
    let place = count.map { $0 == 1 ? " after 1 packet" : " after \($0) packets" } ?? ""
    return Diagnostic(.truncatedCapture, "the capture is cut or damaged\(place): \(text)", file: file)
  }
}
