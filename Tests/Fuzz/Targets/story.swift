import JSONLines
import Simulation
import SyncCore

/// A story that reads is the same when it is written and read again.
func fuzzStory(_ bytes: [UInt8]) {
  guard let story = try? Story(bytes.split(separator: 10).map { Array($0) }) else { return }
  let lines = story.lines.map { Array($0.text.utf8) }
  guard let again = try? Story(lines) else { fatalError("a story that is written is read") }
  require(again.lines.map(\.text) == story.lines.map(\.text), "a story is written in one way")
}
