package import Chores
package import SyncCore
import SystemIO

/// A delivery of a notification to one device.
package struct PushJob: Sendable {
  /// The number of the push in the outbox.
  package var number: Int64
  /// The device's token; empty if the notification is sent to a program.
  package var device: String
  package var notification: Notification
  /// The line of the notification, unchanged.
  package var line: [UInt8]
  /// The number of attempts without a final answer.
  package var attempts: Int

  package var apnsID: UUIDValue { PushRequest.apnsID(of: notification.id, on: device) }
}

/// A channel for sending pushes.
package protocol PushChannel: AnyObject {
  /// The number of further pushes that can be started now.
  var room: Int { get }
  func start(_ job: PushJob) throws
  /// The answers so far; waits at most this long for the first answer.
  func answers(within time: Duration) throws -> [(job: PushJob, answer: PushAnswer)]
  /// Renews the provider token if it was too old; true if the push should be sent again.
  func renewToken(of job: PushJob) throws -> Bool
}

/// A program that runs once for each push, with the line on its standard input.
///
/// The most important members are in its environment.
///
/// A program that takes too long is killed together with all its children. Status 0 means sent, 65 means
/// never retry, any other status means retry later. The program's output is copied to standard error.
package final class ProgramChannel: PushChannel {
  private let command: [String]
  /// The time after which the program is killed.
  private let patience: Duration
  private var answered: [(job: PushJob, answer: PushAnswer)] = []

  package init(_ command: [String], patience: Duration) {
    (self.command, self.patience) = (command, patience)
  }

  package var room: Int { answered.isEmpty ? 1 : 0 }

  package func start(_ job: PushJob) throws {
    let environment = Environment.replacing("NOTIFY_", with: Self.variables(job.notification))
    let child = try ChildProcess.start(command, environment: environment, leading: true)
    answered.append((job, Self.answer(try Self.run(child, job.line + [10], patience))))
  }

  package func answers(within time: Duration) -> [(job: PushJob, answer: PushAnswer)] {
    defer { answered = [] }
    return answered
  }

  package func renewToken(of job: PushJob) -> Bool { false }

  /// The environment of a program; each value is one line, because programs put them into headers and
  /// arguments.
  private static func variables(_ notification: Notification) -> [(name: String, value: String)] {
    [
      ("NOTIFY_ID", notification.id.text), ("NOTIFY_KIND", notification.kind.rawValue),
      ("NOTIFY_RECIPIENT", notification.recipient.text), ("NOTIFY_TITLE", notification.title),
      ("NOTIFY_BODY", notification.body), ("NOTIFY_OCCURRENCE", notification.occurrence?.text ?? ""),
      ("NOTIFY_DUE", notification.due?.brief ?? ""),
    ].map { ($0, $1.onOneLine) }
  }

  private static func answer(_ status: CInt?) -> PushAnswer {
    switch status {
    case 0: PushAnswer(.sent, status: 0)
    case 65: PushAnswer(.failed, status: 65)
    case .some(let status): PushAnswer(.again(after: 0), status: Int(status))
    case nil: .unanswered("the program took too long")
    }
  }

  /// Writes a child's input, copies its output, and waits for its end; nil if the child was killed at the
  /// deadline.
  private static func run(
    _ child: consuming ChildProcess, _ input: [UInt8], _ patience: Duration
  ) throws(SystemError) -> CInt? {
    var (rest, isOpen) = (input[...], true)
    let deadline = SystemClock.monotonic() + patience
    while true {
      let status = child.exitStatus()
      if isOpen { isOpen = try passOn(child.output) }
      if let status { return status }
      if SystemClock.monotonic() >= deadline {
        child.signal(Signals.kill)
        while child.exitStatus() == nil { wait(child, writing: false, reading: false, until: nil) }
        return nil
      }
      if !rest.isEmpty { try feed(&rest, to: &child.input) }
      wait(child, writing: !rest.isEmpty, reading: isOpen, until: deadline)
    }
  }

  private static func wait(
    _ child: borrowing ChildProcess, writing: Bool, reading: Bool, until deadline: Duration?
  ) {
    var watch = PollSet()
    watch.addChildren()
    if writing { watch.add(child.input.raw, writing: true) }
    if reading { watch.add(child.output.raw, reading: true) }
    watch.wait(until: deadline)
  }

  /// Writes the rest of the input; ignores errors, because a program can read the members from its
  /// environment instead.
  private static func feed(_ rest: inout ArraySlice<UInt8>, to input: inout Descriptor) throws(SystemError) {
    let bytes = Array(rest)
    do throws(SystemError) {
      rest = rest.dropFirst(try input.writeWithoutBlocking(bytes.span))
    } catch {
      guard error.isBrokenPipe else { throw error }
      rest = []
    }
    if rest.isEmpty { try input.close() }
  }

  /// Copies available bytes to standard error, at most as many as a pipe holds; false at the end.
  private static func passOn(_ output: borrowing Descriptor) throws(SystemError) -> Bool {
    for _ in 0..<16 where output.isReadable {
      var window = ByteWindow(capacity: 4_096)
      if try window.fill(from: output) == 0 { return false }
      try? Descriptor.standardError.write(window.storage.span.extracting(window.range))
    }
    return true
  }
}
