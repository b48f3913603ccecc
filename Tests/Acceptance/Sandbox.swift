import Foundation

/// A temporary folder in which commands run with a fixed environment; it goes away with this object.
final class Sandbox: Sendable {
  private let root: URL
  private let environment: [String: String]

  /// `tools` is a folder that comes before the system's on the path.
  init(tools: String) throws {
    root = FileManager.default.temporaryDirectory.appending(path: "peersync-\(UUID().uuidString)")
    var environment = [
      "PATH": "\(tools):\(Self.standIns):\(Self.examples):\(Self.systemPath)", "LC_ALL": "C", "TZ": "UTC",
    ]
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["LLVM_PROFILE_FILE"] = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"]
    let places = [
      "HOME": "home", "TMPDIR": "tmp", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state",
      "XDG_CACHE_HOME": "cache", "XDG_DATA_HOME": "data", "XDG_RUNTIME_DIR": "run",
    ]
    for (name, folder) in places {
      let place = root.appending(path: folder)
      try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      environment[name] = place.path
    }
    self.environment = environment
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// The folder where commands start: empty except for files written here.
  private var work: URL { root.appending(path: "work") }

  func write(_ text: String, to name: String) throws {
    let file = work.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func url(of name: String) -> URL { work.appending(path: name) }

  func text(of name: String) throws -> String {
    try String(contentsOf: work.appending(path: name), encoding: .utf8)
  }

  /// Runs a line of shell when a place is free, and waits for it; processes that it leaves running are
  /// killed.
  ///
  /// `limit` only ends hanging commands: no test may depend on the speed of a command. With the claim `alone`
  /// no other command of these tests runs beside it.
  func run(_ command: String, limit: Duration = hanging, as claim: Places.Claim = .step)
    async throws -> Outcome
  {
    try await Places.shared.take(claim) {
      let start = ContinuousClock.now
      let (outcome, processorTime) = try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Result { try self.wait(for: command, limit) })
        }
      }
      SpentTime.note(ContinuousClock.now - start, processorTime)
      return outcome
    }
  }

  /// How long a command may take that is given no other limit.
  static let hanging: Duration = .seconds(300)

  /// Runs a line of shell and blocks the thread until it ends.
  ///
  /// Output goes through files, so a background process that keeps them open blocks nothing.
  func wait(for command: String, _ limit: Duration = hanging) throws
    -> (outcome: Outcome, processorTime: Duration)
  {
    let output = root.appending(path: "stdout")
    let errors = root.appending(path: "stderr")
    // A command can be ended before the shell has opened them.
    for file in [output, errors] { try Data().write(to: file) }
    let wrapper = #"cd "$1" && exec /bin/sh -c "$2" </dev/null >"$3" 2>"$4""#
    let group = try ProcessGroup(
      OwnNetwork.prefix + ["/bin/sh", "-c", wrapper, "sh", work.path, command, output.path, errors.path],
      environment: environment.map { "\($0)=\($1)" })
    let (status, isTimedOut, processorTime) = group.wait(limit: limit)
    let outcome = Outcome(
      output: try [UInt8](Data(contentsOf: output)), errors: try [UInt8](Data(contentsOf: errors)),
      status: status, isTimedOut: isTimedOut)
    return (outcome, processorTime)
  }

  /// Our replacements for other programs in examples; they come first, as those may leave processes running.
  static let standIns = Repository.root.appending(path: "Tests/Acceptance/Programs").path

  /// The scripts that documents show.
  private static let examples = Repository.root.appending(path: "docs/examples/scale").path

  #if os(macOS)
    static let systemPath = "/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
  #else
    static let systemPath = "/usr/bin:/bin:/usr/sbin:/sbin"
  #endif
}
