import Testing

/// Long runs of `syncsim`.
@Suite struct SimulationSoakTests {
  /// Seeds that no other run had, in addition to the fixed ones; a failure prints its story.
  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func aThousandStoriesOfFiveDevices() async throws {
    let fresh = Int.random(in: 1_001...1_000_000_000)
    print("seeds: \(fresh)..\(fresh + 999)")
    let sandbox = try Sandbox(tools: Tools.folder)
    let output = try await sandbox.run(
      "syncsim run --devices 5 --seeds 1..1000; syncsim run --devices 5 --seeds \(fresh)..\(fresh + 999)",
      limit: .seconds(1_200)
    ).rendering
    let holds = #"{"seeds":1000,"failures":0}"#
    #expect(output == [holds, holds])
  }
}
