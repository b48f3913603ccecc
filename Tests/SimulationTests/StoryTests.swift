import JSONLines
import Simulation
import SyncCore
import Testing

/// Stories: generated, written, read and shortened.
@Suite struct StoryTests {
  private static func story(_ seed: UInt64, steps: Int = 60) -> Story {
    StoryGenerator.story(seed: seed, devices: 5, steps: steps)
  }

  private static func bytes(_ story: Story) -> [[UInt8]] { story.lines.map { Array($0.text.utf8) } }

  @Test(arguments: UInt64(0)..<100)
  func whatIsWrittenIsReadAgain(seed: UInt64) throws {
    let story = Self.story(seed)
    #expect(try Story(Self.bytes(story)) == story)
    #expect(Self.story(seed) == story, "the same seed gives the same story")
  }

  @Test func seedsGiveEverythingThatCanHappen() {
    let stories = (1...50).map { Self.story($0) }
    let names = Set(stories.flatMap(\.steps).map { String(describing: $0.action).prefix { $0 != "(" } })
    #expect(names.count == 12)
    #expect(Set(stories.map(\.links)) == Set(StoryLinks.drawn))
    #expect(stories.allSatisfy { $0.steps.map(\.at) == $0.steps.map(\.at).sorted() })
  }

  @Test func aFailureIsWrittenToo() throws {
    var story = Self.story(1, steps: 3)
    story.failure = SimulationFailure(.lost, "it is gone")
    #expect(try Story(Self.bytes(story)) == story)
  }

  @Test(arguments: [
    ("", 1), ("[]", 1), (#"{"story":2,"devices":2}"#, 1), (#"{"story":1,"devices":0}"#, 1),
    (#"{"story":1,"devices":2,"links":"ring"}"#, 1),
    ("{\"story\":1,\"devices\":2}\n{", 2), ("\n{\"story\":1,\"devices\":2}\n\n{", 4),
    ("{\"story\":1,\"devices\":2}\n{\"at\":0,\"step\":\"dance\"}", 2),
    ("{\"story\":1,\"devices\":2}\n{\"at\":-1,\"step\":\"compact\",\"device\":0}", 2),
    ("{\"story\":1,\"devices\":2}\n{\"at\":0,\"step\":\"compact\",\"device\":2}", 2),
    ("{\"story\":1,\"devices\":2}\n{\"at\":0,\"step\":\"put\",\"device\":0,\"line\":{}}", 2),
    ("{\"story\":1,\"devices\":2}\n{\"at\":0,\"step\":\"session\",\"from\":1,\"to\":1}", 2),
    (
      "{\"story\":1,\"devices\":2}\n{\"at\":0,\"step\":\"session\",\"from\":0,\"to\":1,\"following\":3600001}",
      2
    ),
    (#"{"story":1,"devices":2,"rules":[{}]}"#, 1), (#"{"story":1,"devices":1,"rules":[{"clock":"at"}]}"#, 1),
    (#"{"story":1,"devices":1,"rules":[{"profile":"files"}]}"#, 1),
    ("{\"story\":1,\"devices\":2}\n{\"at\":0,\"step\":\"rules\",\"device\":0,\"profile\":\"lww\"}", 2),
    (
      "{\"story\":1,\"devices\":1,\"rules\":[{\"key\":\"/uuid\"}]}\n{\"at\":0,\"step\":\"put\",\"device\":0,\"line\":{\"id\":1}}",
      2
    ),
    ("{\"story\":1,\"devices\":2}\n{\"at\":0,\"step\":\"partition\",\"devices\":[2],\"lasting\":1}", 2),
  ])
  func whatIsNoStoryIsRefused(text: String, line: Int) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf8) }
    let error = #expect(throws: DamagedLine.self) { try Story(lines) }
    #expect(error?.line == line)
  }

  @Test func linksJoinAllDevices() {
    #expect(StoryLinks.chain.pairs(4).map { [$0.0, $0.1] } == [[0, 1], [1, 2], [2, 3]])
    #expect(StoryLinks.star.pairs(4).map { [$0.0, $0.1] } == [[0, 1], [0, 2], [0, 3]])
    #expect(StoryLinks.full.pairs(4).count == 6)
    #expect(StoryLinks.allCases.allSatisfy { $0.pairs(1).isEmpty })
  }

  // MARK: Shrinking

  /// A story that fails only with two of its steps in this order keeps these two.
  @Test(arguments: UInt64(1)..<20)
  func theShortestStoryHasOnlyWhatItNeeds(seed: UInt64) {
    let story = Self.story(seed)
    func isCompaction(_ step: StoryStep) -> Bool { if case .compact = step.action { true } else { false } }
    func attempt(_ story: Story) -> SimulationFailure? {
      guard let first = story.steps.firstIndex(where: isCompaction) else { return nil }
      let isFollowed = story.steps[first...].contains { if case .put = $0.action { true } else { false } }
      return isFollowed ? SimulationFailure(.lost, "") : nil
    }
    guard let failure = attempt(story) else { return }
    let shortest = StoryShrinker.shortest(story, failure, attempt)
    #expect(shortest.steps.count == 2)
    #expect(shortest.devices == 2)
    #expect(shortest.failure == failure)
  }

  /// Another kind of failure is another story.
  @Test func onlyTheSameKindCounts() {
    let story = Self.story(1)
    let shortest = StoryShrinker.shortest(story, SimulationFailure(.lost, "")) { shorter in
      SimulationFailure(shorter.steps.count < 30 ? .echo : .lost, "")
    }
    #expect(shortest.steps.count == 30)
  }

  @Test func attemptsAreLimited() {
    var attempts = 0
    _ = StoryShrinker.shortest(Self.story(1), SimulationFailure(.lost, ""), attempts: 10) { _ in
      attempts += 1
      return nil
    }
    #expect(attempts == 10)
  }
}
