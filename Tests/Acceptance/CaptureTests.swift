import Foundation
import Testing

/// The streams of captures beside those that tshark follows, and a live pipe.
@Suite struct CaptureTests {
  @Test func streamsAreAsTsharkFollowsThem() async throws {
    let script = Repository.root.appending(path: "Tests/Captures/run.sh").path
    try await Scenario.run(
      "captures", "'\(script)' '\(Tools.folder)'", needs: ["python3", "tshark", "libpcap.so.0.8"])
  }
}
