/// Something that wants its turn in a loop that waits for other things.
package protocol LoopCompanion: AnyObject {
  /// Adds what it waits for.
  func watch(_ polls: inout PollSet)
  /// When it has something to do, whatever comes, on the monotonic clock; nil for never.
  var deadline: Duration? { get }
  /// Does what there is to do, without waiting.
  func advance(at now: Duration)
  /// The loop is about to end, or what it waits for: nothing more is asked of it.
  func end()
}
