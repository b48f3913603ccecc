import JSONLines

/// A program with one pipe on its standard input and another on its standard output.
package struct ChildProcess: ~Copyable {
  private let identifier: pid_t
  /// Whether the program leads its own process group.
  private let isLeader: Bool
  /// The write end of its standard input.
  package var input: Descriptor
  /// The read end of its standard output.
  package var output: Descriptor
  private var status: CInt?

  private init(
    _ identifier: pid_t, isLeader: Bool, input: consuming Descriptor, output: consuming Descriptor
  ) {
    self.identifier = identifier
    self.isLeader = isLeader
    self.input = input
    self.output = output
  }

  /// Starts `command`, looked up on PATH; it inherits our standard error, and our environment unless one is
  /// given.
  ///
  /// With `leading` the program leads its own process group, so it can be killed together with all its
  /// children. On a terminal it is then in the background: it cannot prompt, and an interrupt key does not
  /// reach it.
  package static func start(
    _ command: [String], environment: [[CChar]]? = nil, leading: Bool = false
  ) throws(SystemError) -> ChildProcess {
    ChildSignal.install()
    let (inputRead, inputWrite) = try makePipe(command[0])
    guard let (outputRead, outputWrite) = SelfPipe.makePipe() else {
      let code = errno
      for end in [inputRead, inputWrite] { _ = systemClose(end) }
      throw SystemError(.spawn, command[0], code: code)
    }
    let identifier = Result { () throws(SystemError) in
      try spawn(command, environment, input: inputRead, output: outputWrite, leading: leading)
    }
    _ = systemClose(inputRead)
    _ = systemClose(outputWrite)
    // The child's ends are separate open files and stay blocking.
    for end in [inputWrite, outputRead] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let input = Descriptor(owning: inputWrite, name: command[0], isNonBlocking: true)
    let output = Descriptor(owning: outputRead, name: command[0], isNonBlocking: true)
    return ChildProcess(try identifier.get(), isLeader: leading, input: input, output: output)
  }

  /// The exit status of the program, 128 + n after signal n; nil while it runs.
  package mutating func exitStatus() -> CInt? {
    if status == nil { status = Self.exitStatus(of: identifier) }
    return status
  }

  static func exitStatus(of identifier: pid_t) -> CInt? {
    var code: CInt = 0
    guard unsafe waitpid(identifier, &code, WNOHANG) == identifier else { return nil }
    return code & 0x7f == 0 ? code >> 8 & 0xff : 128 + code & 0x7f
  }

  /// Sends a signal, unless the program has ended: then its number may belong to another process.
  ///
  /// SIGKILL is sent to the program's entire group, as the program cannot pass that signal on.
  package borrowing func signal(_ number: CInt) {
    guard status == nil else { return }
    _ = kill(isLeader && number == SIGKILL ? -identifier : identifier, number)
  }

  /// Throws the error of `start` if `program` is not found, or may not be executed.
  package static func find(_ program: String) throws(SystemError) {
    let isPath = program.utf8.contains(UInt8(ascii: "/"))
    let folders = isPath ? nil : Environment.value("PATH") ?? "/bin:/usr/bin"
    let places = folders?.parts(at: ":").map {
      $0.isEmpty ? program : "\($0)/\(program)"
    }
    var code = ENOENT
    for place in program.isEmpty ? [] : places ?? [program] {
      var file = stat()
      guard unsafe stat(place, &file) == 0 else { continue }
      if file.st_mode & S_IFMT != S_IFDIR, unsafe access(place, X_OK) == 0 { return }
      code = EACCES
    }
    throw SystemError(.spawn, program, code: code)
  }

  private static func makePipe(_ name: String) throws(SystemError) -> (read: CInt, write: CInt) {
    guard let ends = SelfPipe.makePipe() else { throw SystemError(.spawn, name, code: errno) }
    return ends
  }

  /// Starts a child process; without `input` or `output` the child inherits our stream.
  ///
  /// SIGPIPE is reset to its default in the child; otherwise the child would inherit that we ignore it.
  static func spawn(
    _ command: [String], _ environment: [[CChar]]?, input: CInt?, output: CInt?, leading: Bool = false
  ) throws(SystemError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let input { unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    let flags = leading ? POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP : POSIX_SPAWN_SETSIGDEF
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var words = unsafe copies(command.map { Array($0.utf8CString) })
    var variables = unsafe copies(environment ?? [])
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    defer { for index in unsafe variables.indices { unsafe free(variables[index]) } }
    var identifier: pid_t = 0
    let code =
      environment == nil
      ? unsafe posix_spawnp(&identifier, words[0]!, &actions, &attributes, &words, environ)
      : unsafe posix_spawnp(&identifier, words[0]!, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SystemError(.spawn, command[0], code: code) }
    return identifier
  }

  /// The words as a C array that ends with nil; the caller frees each.
  private static func copies(_ words: [[CChar]]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe words.map { unsafe strdup($0) } + [nil]
  }
}

/// A program that reads a text on its standard input, and writes its output to our standard error.
package struct ToldProcess: ~Copyable {
  private let identifier: pid_t
  private var status: CInt?

  /// Starts `command`, looked up on PATH; it leads its own process group.
  package init(
    _ command: [String], environment: [[CChar]], input: [UInt8]
  ) throws(SystemError) {
    ChildSignal.install()
    // Use a file without a name: with a pipe, a long text would wait for the program to read it.
    var file = try SpillFile()
    try file.append(input.span)
    identifier = try file.withReader { (raw: CInt) throws(SystemError) in
      try ChildProcess.spawn(command, environment, input: raw, output: STDERR_FILENO, leading: true)
    }
  }

  /// The exit status of the program, 128 + n after signal n; nil while it runs.
  package mutating func exitStatus() -> CInt? {
    if status == nil { status = ChildProcess.exitStatus(of: identifier) }
    return status
  }

  /// Sends SIGTERM to the program and to all processes that it has started.
  package borrowing func end() { _ = kill(-identifier, SIGTERM) }
}

/// A child process that several parts of a program can share.
package final class Program {
  package var process: ChildProcess

  package init(_ process: consuming ChildProcess) { self.process = process }
}

/// SIGCHLD as a descriptor that poll(2) can wait for.
enum ChildSignal {
  static let pipe = SelfPipe()

  static func install() {
    pipe.open()
    signal(SIGCHLD) { _ in ChildSignal.pipe.wake() }
  }
}

/// A program that runs with our standard streams.
package struct AttachedProcess: ~Copyable {
  private let identifier: pid_t
  private var status: CInt?

  /// Starts `command`, looked up on PATH.
  package init(_ command: [String]) throws(SystemError) {
    ChildSignal.install()
    identifier = try ChildProcess.spawn(command, nil, input: nil, output: nil)
  }

  /// The exit status of the program, 128 + n after signal n; nil while it runs.
  package mutating func exitStatus() -> CInt? {
    if status == nil { status = ChildProcess.exitStatus(of: identifier) }
    return status
  }

  /// Passes on a signal that we received, unless the terminal has sent the signal to the complete job.
  package borrowing func pass(_ number: CInt) {
    if number != SIGINT || !Descriptor.isAnyTerminal { _ = kill(identifier, number) }
  }
}

/// The numbers of the signals that this package sends.
package enum Signals {
  package static let interrupt = SIGINT
  package static let terminate = SIGTERM
  package static let kill = SIGKILL
}
