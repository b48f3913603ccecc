// The only file of this module that names the platform's C library.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Darwin)
  @_exported import Darwin
#endif

// These functions have separate names, because some types have methods called `read`, `write` and `close`.

func systemRead(_ raw: CInt, _ address: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(raw, address, count)
}

func systemWrite(_ raw: CInt, _ address: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(raw, address, count)
}

func systemOpen(_ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt { unsafe open(path, flags, mode) }

func systemClose(_ raw: CInt) -> CInt { close(raw) }

func systemRename(_ path: String, _ other: String) -> CInt { unsafe rename(path, other) }

func systemConnect(_ raw: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt {
  unsafe connect(raw, address, length)
}

func systemBind(_ raw: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt {
  unsafe bind(raw, address, length)
}

func systemListen(_ raw: CInt, _ backlog: CInt) -> CInt { listen(raw, backlog) }

func systemAccept(
  _ raw: CInt, _ address: UnsafeMutablePointer<sockaddr>, _ length: UnsafeMutablePointer<socklen_t>
) -> CInt { unsafe accept(raw, address, length) }
