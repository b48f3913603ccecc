import Crypto
import Foundation
import Links
import SystemIO
import Testing

/// The loop that accepts connections.
@Suite struct LinkLoopTests {
  /// The connection that waited for a descriptor is gone when one is free, so nothing wakes the loop.
  ///
  /// In a separate process, because the limit of descriptors belongs to the process.
  @Test func aPauseEndsWithoutAConnection() async {
    await #expect(processExitsWith: .success) {
      let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
      let address = try #require(try SocketAddress.resolve("127.0.0.1", port: listener.port).first)
      let settings = LinkSettings(.listener, identity: try DeviceIdentity(creating: "phone")) { _ in nil }
      let loop = LinkLoop(settings, nil, listeners: [listener]) { _ in }
      loop.lastCall = SystemClock.monotonic() + .milliseconds(500)
      var turns = 0
      var clients: [Connection] = []
      var files: [FileHandle] = []
      loop.tend = { now in
        turns += 1
        // The first turn opens the loop's own descriptors.
        if turns == 1 { return now }
        if turns == 2 {
          clients.append(try Connection.connect(to: address, through: nil, until: now + .seconds(10)))
          while let file = FileHandle(forReadingAtPath: "/dev/null"), file.fileDescriptor < 32 {
            files.append(file)
          }
          limitDescriptors(to: 32)
        }
        if turns == 3 {
          limitDescriptors(to: 256)
          _ = try listener.accept()
        }
        return nil
      }
      try loop.run()
      #expect(turns > 2 && turns < 20)
    }
  }
}

private func limitDescriptors(to count: rlim_t) {
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let resource = RLIMIT_NOFILE
  #endif
  var limit = rlimit()
  _ = unsafe getrlimit(resource, &limit)
  limit.rlim_cur = count
  _ = unsafe setrlimit(resource, &limit)
}
