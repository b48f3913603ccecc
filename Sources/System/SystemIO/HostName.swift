/// The name of this machine.
package enum HostName {
  /// The first label, `laptop` of `laptop.example.org`; `device` where the system has none.
  package static var short: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "device" }
    let name = bytes.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: ".")) }.map(UInt8.init(bitPattern:))
    return name.isEmpty ? "device" : String(decoding: name, as: UTF8.self)
  }
}
