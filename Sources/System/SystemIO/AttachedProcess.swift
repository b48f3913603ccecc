/// A program that runs with our standard streams.
package struct AttachedProcess: ~Copyable {
  private let identifier: pid_t
  private var status: CInt?

  /// Starts `command`, looked up on PATH.
  package init(_ command: [String]) throws(SystemError) {
    ChildSignal.install()
    identifier = try ChildProcess.spawn(command, nil, input: nil, output: nil)
  }

  /// Its exit status, 128 + n where signal n ended it; nil while it runs.
  package mutating func exitStatus() -> CInt? {
    if status == nil { status = ChildProcess.exitStatus(of: identifier) }
    return status
  }

  /// Passes on a signal that we were sent, unless the terminal has sent it to all of the job.
  package borrowing func pass(_ number: CInt) {
    if number != SIGINT || !Descriptor.isAnyTerminal { _ = kill(identifier, number) }
  }
}
