@testable import Simulation
@testable import SyncCore
import Testing

@Suite struct EventQueueTests {
  @Test(arguments: UInt64(0)..<50)
  func eventsComeInTheOrderOfTheirTimesAndThenAsTheyWerePutIn(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let times = (0..<200).map { _ in Int.random(in: 0..<30, using: &random) }
    var queue = EventQueue<Int>()
    for (number, time) in times.enumerated() { queue.add(number, at: time) }
    var found: [Int] = []
    while let (time, number) = queue.next() {
      #expect(times[number] == time)
      found.append(number)
    }
    #expect(found == times.indices.sorted { (times[$0], $0) < (times[$1], $1) })
    #expect(queue.isEmpty)
  }
}
