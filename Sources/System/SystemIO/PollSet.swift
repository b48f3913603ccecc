/// What a loop over many descriptors waits for: poll(2).
package struct PollSet: ~Copyable {
  private var entries: [pollfd] = []

  package init() {}

  package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// Watches a descriptor and returns its place; that it broke is seen in any case.
  ///
  /// `ending` asks for the end of the other side's way, whatever may still be read before it.
  @discardableResult
  package mutating func add(
    _ raw: CInt, reading: Bool = false, writing: Bool = false, ending: Bool = false
  ) -> Int {
    let events = (reading ? POLLIN : 0) | (writing ? POLLOUT : 0) | (ending ? Readiness.ending : 0)
    entries.append(pollfd(fd: raw, events: Int16(events), revents: 0))
    return entries.count - 1
  }

  /// Watches for the end of a child process.
  package mutating func addChildren() {
    ChildSignal.install()
    add(ChildSignal.pipe.descriptor, reading: true)
  }

  /// Watches for a signal that asks us to stop; once it has come it would end every wait.
  package mutating func addInterruption() { add(Interruption.descriptor, reading: true) }

  /// Watches for a second signal, where ``Interruption/heedSecond()`` was called.
  package mutating func addInsistence() { add(Interruption.secondDescriptor, reading: true) }

  /// Waits until something happens, at most until `deadline` on the monotonic clock.
  package mutating func wait(until deadline: Duration?) {
    var milliseconds: CInt = -1
    if let deadline {
      let left = deadline - SystemClock.monotonic()
      // Rounded up: a millisecond too early would spin. What is due already is not waited for.
      milliseconds = left <= .zero ? 0 : CInt(clamping: left.wholeMilliseconds + 1)
    }
    _ = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    ChildSignal.pipe.clear()
  }

  /// Whether something happened at that place.
  package func isReady(_ place: Int) -> Bool { entries[place].revents != 0 }
}
