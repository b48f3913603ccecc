import Synchronization

/// Keeps the process alive when a mapped file becomes shorter while it is read.
///
/// The kernel sends SIGBUS for a page that lies beyond the file's end. The handler puts a page of zeros in its place
/// and notes that; whoever maps a file looks at the note before believing what was read.
package enum ShrinkGuard {
  /// The first page that was not there; 0 as long as all were.
  private static let gap = Atomic<Int>(0)
  private static let isInstalled = Atomic<Bool>(false)
  // Only faults within what we have mapped are ours.
  private static let lowest = Atomic<Int>(.max)
  private static let highest = Atomic<Int>(0)

  /// Whether any mapped file has been found to be shorter than it was.
  package static var hasFoundGap: Bool { gap.load(ordering: .acquiring) != 0 }

  /// Whether the first page that was not there is one of these: a file that has grown again looks whole.
  static func hasFoundGap(in addresses: Range<Int>) -> Bool {
    addresses.contains(gap.load(ordering: .acquiring))
  }

  static func watch(_ address: Int, _ size: Int) {
    lowest.min(address, ordering: .relaxed)
    highest.max(address + size, ordering: .relaxed)
    guard !isInstalled.exchange(true, ordering: .relaxed) else { return }
    var action = sigaction()
    action.sa_flags = CInt(SA_SIGINFO)
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_sigaction = { number, information, _ in
        unsafe ShrinkGuard.fill(number, information)
      }
    #else
      unsafe action.__sigaction_handler.sa_sigaction = { number, information, _ in
        unsafe ShrinkGuard.fill(number, information)
      }
    #endif
    _ = unsafe sigaction(SIGBUS, &action, nil)
  }

  /// Only calls that are safe in a handler: mmap(2) as a bare system call, signal(2), atomics.
  private static func fill(_ number: CInt, _ information: UnsafeMutablePointer<siginfo_t>?) {
    let pageSize = Int(getpagesize())
    let address = unsafe Int(bitPattern: information?.pointee.faultAddress) / pageSize * pageSize
    let isOurs = address >= lowest.load(ordering: .relaxed) && address < highest.load(ordering: .relaxed)
    let page = unsafe UnsafeMutableRawPointer(bitPattern: address)
    let filled =
      unsafe isOurs ? mmap(page, pageSize, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_ANON, -1, 0) : nil
    if unsafe filled == nil || filled == MAP_FAILED {
      signal(number, SIG_DFL)
    } else {
      _ = gap.compareExchange(expected: 0, desired: address, ordering: .releasing)
    }
  }
}

extension siginfo_t {
  fileprivate var faultAddress: UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      unsafe si_addr
    #else
      unsafe _sifields._sigfault.si_addr
    #endif
  }
}
