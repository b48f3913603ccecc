import Testing

/// A separate network for each command, with only a loopback interface.
///
/// Its ports and names of services are then free, whatever else runs. If the system has no network
/// namespaces, as on macOS, commands share the machine's network.
enum OwnNetwork {
  /// The words before a program, which is given by its path.
  static let prefix: [String] = {
    // A user who is not root has every right in a user namespace, and gives it up again: a test may need an
    // unreadable file.
    let asRoot = ["/usr/bin/unshare", "-n"]
    let asUser = ["/usr/bin/unshare", "-Un", "--map-current-user", "--keep-caps"]
    let giveUp = "setpriv --inh-caps=-all --ambient-caps=-all"
    let choices = [inside(asRoot, ""), inside(asUser, giveUp)]
    if let words = choices.first(where: works) { return words }
    #if os(Linux)
      if Repository.isContinuousIntegration {
        Issue.record("no network namespaces, or none in time: commands share the ports of the machine")
      }
    #endif
    return []
  }()

  private static func inside(_ unshare: [String], _ wrapper: String) -> [String] {
    unshare + ["/bin/sh", "-c", #"ip link set lo up && exec \#(wrapper) "$@""#, "sh"]
  }

  private static func works(_ prefix: [String]) -> Bool {
    let trial = ["/bin/sh", "-c", #"exec "$@" >/dev/null 2>&1"#, "sh"] + prefix + ["/bin/sh", "-c", "true"]
    let group = try? ProcessGroup(trial, environment: ["PATH=\(Sandbox.systemPath)"])
    return group?.wait(limit: .seconds(60)).status == 0
  }
}
