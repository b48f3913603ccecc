import Foundation
import Synchronization

/// A child process that leads its own process group, so that all its children can be killed with it.
struct ProcessGroup {
  private let leader: pid_t

  /// Starts a program with default signal dispositions: an ignored SIGPIPE would be inherited.
  init(_ words: [String], environment: [String]) throws {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t? = nil
    #else
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    var none = sigset_t()
    unsafe sigfillset(&all)
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var child: pid_t = 0
    let failure = unsafe withCStrings(words) { arguments in
      unsafe withCStrings(environment) { variables in
        unsafe posix_spawn(&child, words[0], nil, &attributes, arguments, variables)
      }
    }
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
    leader = child
  }

  /// Blocks until the leader has ended, then kills the rest of the group.
  ///
  /// The status has the form of a shell's, and the processor time includes the processes that the leader and its
  /// children have waited for. The leader is only reaped after the kill: until then nobody else
  /// can get its number.
  func wait(limit: Duration) -> (status: Int32, isTimedOut: Bool, processorTime: Duration) {
    let alarm = Alarm(for: leader, after: limit)
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(leader), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    let isTimedOut = alarm.end()
    kill(-leader, SIGKILL)
    var status: Int32 = 0
    var usage = rusage()
    while unsafe wait4(leader, &status, 0, &usage) == -1, errno == EINTR {}
    awaitEnd()
    let signal = status & 0x7f
    let time = [usage.ru_utime, usage.ru_stime].reduce(Duration.zero) {
      $0 + .seconds(Int64($1.tv_sec)) + .microseconds(Int64($1.tv_usec))
    }
    return (signal == 0 ? status >> 8 & 0xff : 128 + signal, isTimedOut, time)
  }

  /// Waits until the killed rest of the group has ended, which may still hold files and ports.
  ///
  /// Not for long: an ended process that nobody reaps belongs to its group too.
  private func awaitEnd() {
    for _ in 0..<200 {
      if kill(-leader, 0) == -1 { return }
      usleep(5_000)
    }
  }
}

/// Kills a process group that has not ended in time.
private final class Alarm: Sendable {
  private enum State { case waiting, rung, ended }
  private let state = Mutex(State.waiting)

  init(for leader: pid_t, after limit: Duration) {
    let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.ring(leader) }
  }

  private func ring(_ leader: pid_t) {
    state.withLock { state in
      guard state == .waiting else { return }
      state = .rung
      kill(-leader, SIGKILL)
    }
  }

  /// From here on nothing is killed; returns whether that has happened.
  func end() -> Bool {
    state.withLock { state in
      defer { state = .ended }
      return state == .rung
    }
  }
}

/// Lends strings as a C array that ends in a null pointer.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
}
