import Testing
import TestSupport

/// `SyncEngine` over stores that fail.
@Suite struct EngineStoryTests {
  @Test(arguments: Tries.seeds(300, soak: 1_000))
  func devicesComeTogetherAndLoseNothing(seed: UInt64) async throws {
    let findings = try await EngineStory(seed: seed).play()
    #expect(findings.isEmpty, "seed \(seed): \(findings.joined(separator: "\n"))")
  }
}
