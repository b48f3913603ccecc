package import JSONLines
import Synchronization

/// A buffer for a block of text that is read piece by piece and then shared.
///
/// It reuses the memory of earlier buffers of the same size that are no longer needed.
@safe
package struct TextBuffer: ~Copyable {
  private var bytes: UnsafeMutableRawBufferPointer
  package private(set) var count = 0

  /// Makes a buffer that begins with `text`.
  package init(capacity: Int, startingWith text: Span<UInt8>) throws(SystemError) {
    unsafe bytes = try Self.allocate(max(capacity, text.count))
    count = text.count
    unsafe text.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
  }

  package var isFull: Bool { unsafe count == bytes.count }

  package var text: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let filled = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
      return unsafe _overrideLifetime(Span(_unsafeBytes: filled), borrowing: self)
    }
  }

  /// Reads until the buffer is full; false at the end of the input.
  package mutating func fill(from source: borrowing Descriptor) throws(SystemError) -> Bool {
    let isStream = source.kind == .stream
    while !isFull {
      if isStream { Readiness.waitUntilReadable(source.raw) }
      if Interruption.pending != nil { throw SystemError(.read, source.name, code: EINTR) }
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
      let read = try unsafe source.read(into: free)
      if read == 0 { return false }
      count += read
    }
    return true
  }

  /// Reads into the free room by one pread(2); 0 is the end.
  mutating func fill(from source: borrowing Descriptor, at offset: Int) throws(SystemError) -> Int {
    if Interruption.pending != nil { throw SystemError(.read, source.name, code: EINTR) }
    let free = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
    let read = unsafe pread(source.raw, free.baseAddress, free.count, off_t(offset))
    guard read >= 0 else { throw SystemError(.read, source.name, code: errno) }
    count += read
    return read
  }

  /// Doubles the room.
  package mutating func grow() throws(SystemError) {
    let larger = unsafe try Self.allocate(bytes.count * 2)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    unsafe BufferPool.release(Int(bitPattern: bytes.baseAddress), bytes.count)
    unsafe bytes = larger
  }

  /// The text in a form that can be shared.
  package consuming func region() -> TextRegion {
    let (filled, capacity) = unsafe (UnsafeRawBufferPointer(rebasing: bytes[..<count]), bytes.count)
    discard self
    return unsafe TextRegion(filled) { address, _ in
      BufferPool.release(address, capacity)
    }
  }

  deinit { unsafe BufferPool.release(Int(bitPattern: bytes.baseAddress), bytes.count) }

  private static func allocate(_ capacity: Int) throws(SystemError) -> UnsafeMutableRawBufferPointer {
    guard let memory = unsafe BufferPool.allocate(capacity) else {
      throw SystemError(.read, "memory", code: errno)
    }
    return unsafe memory
  }
}

/// Memory of buffers that are no longer needed, for new buffers of the same size.
///
/// New memory costs the system more than reading the data into it, because each page must be found and
/// cleared.
enum BufferPool {
  private struct Free {
    /// The size of all buffers here.
    var size = 0
    var addresses: [Int] = []
  }

  private static let kept = Mutex(Free())

  /// The smallest size of buffers that have pages of their own, and are kept for later.
  private static let smallest = 16 << 10

  /// Memory of `size` bytes with arbitrary content; nil if the system has none left.
  ///
  /// A thread that requests another size no longer needs the old size, so free buffers of the old size are
  /// returned to the system.
  static func allocate(_ size: Int) -> UnsafeMutableRawBufferPointer? {
    if size < smallest {
      return unsafe malloc(size).map { unsafe UnsafeMutableRawBufferPointer(start: $0, count: size) }
    }
    let address =
      unsafe take(size).map { unsafe UnsafeMutableRawPointer(bitPattern: $0) }
      ?? mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { return nil }
    return unsafe UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  private static func take(_ size: Int) -> Int? {
    kept.withLock { free in
      if free.size == size { return free.addresses.popLast() }
      for address in free.addresses { unmap(address, free.size) }
      free = Free(size: size)
      return nil
    }
  }

  static func release(_ address: Int, _ size: Int) {
    if size < smallest { return unsafe free(UnsafeMutableRawPointer(bitPattern: address)) }
    let isKept = kept.withLock { free in
      guard free.size == size else { return false }
      free.addresses.append(address)
      return true
    }
    if !isKept { unmap(address, size) }
  }

  private static func unmap(_ address: Int, _ size: Int) {
    _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), size)
  }
}
