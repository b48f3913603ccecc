package import JSONLines
import Synchronization

/// A regular file mapped into memory.
///
/// If the file becomes shorter in the meantime, the missing part reads as zeros and `isWhole` is false;
/// SIGBUS does not end the process.
package struct MappedFile: Sendable {
  package let name: String
  package let region: TextRegion
  private let file: OpenFile
  private let stamp: FileStamp?
  private let addresses: Range<Int>

  /// Maps a file; nil if it is not regular, is empty, or cannot be mapped.
  ///
  /// In that case the caller reads the file piece by piece.
  package init?(_ source: consuming Descriptor) {
    let (size, stamp) = (source.size, FileStamp(of: source))
    // A map keeps its descriptor; the last quarter of the descriptors is reserved for other files.
    guard source.kind == .regular, size > 0, source.raw < DescriptorLimit.raise() / 4 * 3 else { return nil }
    let address = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, source.raw, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { return nil }
    ShrinkGuard.watch(Int(bitPattern: address), size)
    addresses = Int(bitPattern: address)..<Int(bitPattern: address) + size
    name = source.name
    self.stamp = stamp
    file = OpenFile(source)
    unsafe region = TextRegion(UnsafeRawBufferPointer(start: address, count: size)) { address, size in
      _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), size)
    }
  }

  /// Whether the file had all mapped bytes when they were read, and still has them.
  package var isWhole: Bool { file.size >= region.count && !ShrinkGuard.hasFoundGap(in: addresses) }

  /// Whether the file is unchanged since it was mapped, judging by its size and time.
  package var isUnchanged: Bool { file.stamp == stamp }

  /// Loads the pages of a range that will be read soon, with one call instead of many page faults.
  package func prepare(_ range: Range<Int>) {
    #if os(Linux)
      let pageSize = Int(getpagesize())
      let start = range.lowerBound / pageSize * pageSize
      unsafe region.span.extracting(start..<range.upperBound).withUnsafeBytes { bytes in
        // MADV_POPULATE_READ, since Linux 5.14; without it, page faults load the pages.
        _ = unsafe madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, 22)
      }
    #endif
  }

  private final class OpenFile: Sendable {
    private let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    var size: Int { descriptor.size }
    var stamp: FileStamp? { FileStamp(of: descriptor) }
  }
}

/// Keeps the process alive when a mapped file becomes shorter during reading.
///
/// The kernel sends SIGBUS for a page beyond the file's end. The handler maps a page of zeros there and notes
/// the gap. Code that maps a file must check for gaps before it uses the data.
package enum ShrinkGuard {
  /// The first missing page; 0 if no page was missing.
  private static let gap = Atomic<Int>(0)
  private static let isInstalled = Atomic<Bool>(false)
  // Only faults within our mappings are handled.
  private static let lowest = Atomic<Int>(.max)
  private static let highest = Atomic<Int>(0)

  /// Whether a mapped file became shorter.
  package static var hasFoundGap: Bool { gap.load(ordering: .acquiring) != 0 }

  /// Whether the first missing page is in this range; the size alone does not show it, as the file may have
  /// grown again.
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

  /// Handles SIGBUS, only with calls that are safe in a handler: mmap(2) as a bare system call, signal(2),
  /// atomics.
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
