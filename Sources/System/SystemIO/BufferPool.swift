import Synchronization

/// Memory of buffers that are no longer needed, for the next ones of the same size.
///
/// New memory costs the system more than the reading of what goes into it: each page has to be found and cleared.
enum BufferPool {
  private struct Free {
    /// That of all buffers here.
    var size = 0
    var addresses: [Int] = []
  }

  private static let free = Mutex(Free())

  /// Smaller ones are not worth keeping.
  private static let smallest = 16 << 10

  /// Memory of `size` bytes, which hold anything; nil where the system has none.
  ///
  /// Whoever asks for another size than before needs no more of that: what is here of it goes back to the system.
  static func allocate(_ size: Int) -> UnsafeMutableRawBufferPointer? {
    let free = size >= smallest ? take(size) : nil
    let address =
      unsafe free.map { unsafe UnsafeMutableRawPointer(bitPattern: $0) }
      ?? mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { return nil }
    return unsafe UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  private static func take(_ size: Int) -> Int? {
    free.withLock { free in
      if free.size == size { return free.addresses.popLast() }
      for address in free.addresses { unmap(address, free.size) }
      free = Free(size: size)
      return nil
    }
  }

  static func release(_ address: Int, _ size: Int) {
    let isKept = free.withLock { free in
      guard size >= smallest, free.size == size else { return false }
      free.addresses.append(address)
      return true
    }
    if !isKept { unmap(address, size) }
  }

  private static func unmap(_ address: Int, _ size: Int) {
    _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), size)
  }
}
