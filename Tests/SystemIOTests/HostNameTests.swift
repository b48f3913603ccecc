@testable import SystemIO
import Testing

/// The name of this machine, from the host name of the system.
@Suite struct HostNameTests {
  @Test(arguments: [
    ("laptop.example.org", "laptop"), ("", "device"), (".local", "device"),
    (String(repeating: "x", count: 64), String(repeating: "x", count: 63)),
    (String(repeating: "ü", count: 32), String(repeating: "ü", count: 31)),
  ])
  func isTheFirstLabelCutToFit(name: String, label: String) {
    #expect(HostName.label(of: Array(name.utf8)) == label)
  }
}
