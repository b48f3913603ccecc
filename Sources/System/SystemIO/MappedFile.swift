package import JSONLines

/// A regular file as memory.
///
/// Where the file becomes shorter meanwhile, what is gone reads as zeros and `isWhole` tells, in place of a SIGBUS.
package struct MappedFile: Sendable {
  package let name: String
  package let region: TextRegion
  private let file: OpenFile
  private let stamp: FileStamp?
  private let addresses: Range<Int>

  /// Nil for what is no regular file, is empty, or cannot be mapped: read it piece by piece then.
  package init?(_ source: consuming Descriptor) {
    let (size, stamp) = (source.size, FileStamp(of: source))
    guard source.kind == .regular, size > 0 else { return nil }
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

  /// Whether the file has had all bytes that were mapped, as far as was looked, and still has them.
  package var isWhole: Bool { file.size >= region.count && !ShrinkGuard.hasFoundGap(in: addresses) }

  /// Whether nobody has written to the file since it was mapped, as far as its size and its time say.
  package var isUnchanged: Bool { file.stamp == stamp }

  /// Says that a range will be read soon, and once: one call brings its pages in, not one fault for each few.
  package func prepare(_ range: Range<Int>) {
    #if os(Linux)
      let pageSize = Int(getpagesize())
      let start = range.lowerBound / pageSize * pageSize
      unsafe region.span.extracting(start..<range.upperBound).withUnsafeBytes { bytes in
        // MADV_POPULATE_READ, since Linux 5.14; without it the pages come in by faults.
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
