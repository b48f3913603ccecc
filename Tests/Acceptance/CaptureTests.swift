import Foundation
import Testing

/// The streams of captures, compared with those of tshark and tcpflow, and a live pipe.
@Suite struct CaptureTests {
  @Test func streamsAreAsOthersFindThem() async throws {
    let script = Repository.root.appending(path: "Tests/Captures/run.sh").path
    let count = Repository.isSet("SOAK") ? 200 : 8
    try await Scenario.run(
      "captures", "'\(script)' '\(Tools.folder)' \(count)",
      needs: ["python3", "tshark", "tcpflow", "libpcap.so.0.8"],
      limit: Repository.isSet("SOAK") ? .seconds(3_600) : Scenario.hanging)
  }
}
