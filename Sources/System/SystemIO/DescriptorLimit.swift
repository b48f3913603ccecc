/// How many descriptors this process may have open.
package enum DescriptorLimit {
  /// Raises the soft limit to the hard one, where the system allows that; the limit from now on.
  ///
  /// Programs that are started later inherit it.
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

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
