/// Threads of this process.
package enum Worker {
  /// How many processors there are.
  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The most threads that work together, however many are asked for.
  package static let most = 64

  /// Runs `body` on a thread that nobody waits for; false where the system gives no more threads.
  @discardableResult
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Work(body)
    let box = unsafe Unmanaged.passRetained(work)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    guard unsafe pthread_create(&thread, nil, perform, box.toOpaque()) == 0 else {
      unsafe box.release()
      return false
    }
    #if canImport(Darwin)
      pthread_detach(thread!)
    #else
      pthread_detach(thread)
    #endif
    return true
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

#if canImport(Darwin)
  private func perform(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<Work>.fromOpaque(box).takeRetainedValue().body()
    return nil
  }
#else
  private func perform(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box = unsafe box else { return nil }
    unsafe Unmanaged<Work>.fromOpaque(box).takeRetainedValue().body()
    return nil
  }
#endif
