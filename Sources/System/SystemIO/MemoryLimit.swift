package import JSONLines

/// The memory that this process may use.
package enum MemoryLimit {
  /// Bytes that can be used without swapping, within the limits of our control groups.
  package static var available: Int {
    #if os(Linux)
      let free = (number(after: "MemAvailable:", in: "/proc/meminfo") ?? 1 << 20) << 10
      return groups.compactMap { room(in: $0) }.reduce(free, min)
    #else
      return max(1 << 30, sysconf(Int32(_SC_PHYS_PAGES)) * Int(getpagesize()) / 2)
    #endif
  }

  /// The folders of our control group and of all above it (cgroups, version 2 or the memory controller of 1).
  private static var groups: [String] {
    guard let text = contents("/proc/self/cgroup") else { return [] }
    var folders: [String] = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[1] == "" || parts[1] == "memory" else { continue }
      var path = (parts[1] == "" ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory") + parts[2]
      while path.hasPrefix("/sys/fs/cgroup") {
        folders.append(path)
        path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
      }
    }
    return folders
  }

  private static func room(in folder: String) -> Int? {
    for (limit, used) in [
      ("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes"),
    ] {
      guard let limit = number(after: "", in: "\(folder)/\(limit)") else { continue }
      return max(0, limit - (number(after: "", in: "\(folder)/\(used)") ?? 0))
    }
    return nil
  }

  private static func number(after label: String, in path: String) -> Int? {
    guard let line = contents(path)?.split(separator: "\n").first(where: { $0.hasPrefix(label) }) else {
      return nil
    }
    return Int(line.dropFirst(label.count).split(separator: " ").first ?? "")
  }

  private static func contents(_ path: String) -> String? {
    (try? ByteInput.contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The number of descriptors that this process may have open.
package enum DescriptorLimit {
  /// Raises the soft limit to the hard one, if the system allows that; returns the new limit.
  ///
  /// Programs that are started later inherit the limit.
  package static func raise() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return 256 }
    let soft = limit.rlim_cur
    if soft < limit.rlim_max {
      limit.rlim_cur = limit.rlim_max
      if unsafe setrlimit(resource, &limit) != 0 { limit.rlim_cur = soft }
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit, and throws if that leaves fewer than `count`.
  package static func require(_ count: Int) throws(Diagnostic) {
    let limit = raise()
    guard limit < count else { return }
    throw Diagnostic(
      .systemFailure, "\(limit) files may be open at a time, and \(count) are needed",
      hint: "raise the hard limit: ulimit -Hn shows it")
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
