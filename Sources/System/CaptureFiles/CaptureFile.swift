internal import CPcapOnDemand
package import JSONLines
package import SyncCore
package import SystemIO

/// A capture that libpcap reads: pcap or pcapng, a file or a pipe.
///
/// This is safe because the handle is valid as long as the value exists, and the bytes of a packet are used
/// only during the call that passes them.
@safe
package struct CaptureFile: ~Copyable {
  private var library: peersync_libpcap
  private let handle: UnsafeMutableRawPointer
  private let source: Descriptor
  private let isStream: Bool
  /// The number of packets read, without those that the filter left out.
  package private(set) var count = 0

  package init(opening path: String) throws {
    let source = try Descriptor.reading(path)
    var library = peersync_libpcap()
    guard unsafe peersync_libpcap_load(&library) != 0 else {
      throw Diagnostic.missing("libpcap", package: "libpcap0.8")
    }
    var text = [CChar](repeating: 0, count: 256)
    guard let handle = unsafe peersync_libpcap_open(&library, source.raw, &text) else {
      if Interruption.pending != nil { throw SystemError.interrupted }
      throw CaptureFault.diagnostic(Self.string(text), file: path)
    }
    self.library = library
    unsafe self.handle = handle
    isStream = source.kind == .stream
    self.source = source
  }

  deinit {
    var library = library
    unsafe peersync_libpcap_close(&library, handle)
  }

  /// The path of the file, or `-`.
  package var name: String { source.name }

  /// The link type of the packets, as a number of libpcap (DLT_…).
  package var dataLink: Int {
    var library = library
    return unsafe Int(peersync_libpcap_link_type(&library, handle))
  }

  /// The name of the link type in libpcap.
  package var dataLinkName: String {
    var library = library
    guard let name = unsafe peersync_libpcap_link_name(&library, peersync_libpcap_link_type(&library, handle))
    else { return "type \(dataLink)" }
    return unsafe String(cString: name)
  }

  /// Leaves out packets that do not match an expression, in the form of tcpdump (pcap-filter(7)).
  package mutating func setFilter(_ expression: String) throws(Diagnostic) {
    guard unsafe peersync_libpcap_filter(&library, handle, expression) != 0 else { return }
    throw Diagnostic(
      .invalidFilter, "invalid filter '\(expression.shown)': \(error)",
      hint: "see pcap-filter(7) for expressions, such as: tcp port 27421 and host 10.0.0.2")
  }

  /// Passes the next packet to `body`, with its length on the wire; false at the end.
  ///
  /// If the read may wait, `output` is flushed first. The library reads ahead, so a flush may be unnecessary,
  /// but is never missing.
  package mutating func next(
    flushing output: inout ByteOutput,
    _ body: (Span<UInt8>, Int, Instant, inout ByteOutput) throws -> Void
  ) throws -> Bool {
    if isStream, !source.isReadable { try output.flush() }
    if Interruption.pending != nil { throw SystemError.interrupted }
    var packet = peersync_packet()
    var bytes: UnsafePointer<UInt8>?
    switch unsafe peersync_libpcap_next(&library, handle, &packet, &bytes) {
    case 1: break
    case -2: return false
    default:
      if Interruption.pending != nil { throw SystemError.interrupted }
      throw CaptureFault.diagnostic(error, file: name, after: count)
    }
    count += 1
    let time = Self.instant(packet.at)
    guard let bytes = unsafe bytes else { return true }
    // The library guarantees this many bytes.
    try unsafe body(
      Span(_unsafeStart: bytes, count: Int(packet.captured)), Int(packet.length), time, &output)
    return true
  }

  /// The time of a packet; the first instant of 1970 if its time is invalid.
  private static func instant(_ time: timeval) -> Instant {
    Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(clamping: time.tv_usec)) ?? .epoch
  }

  private var error: String {
    var library = library
    guard let text = unsafe peersync_libpcap_error(&library, handle) else { return "" }
    return unsafe String(cString: text)
  }

  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
