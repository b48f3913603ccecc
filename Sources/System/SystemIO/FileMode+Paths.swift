// Paths: links, absolute paths, and the parts of a path.
extension FileMode {
  /// The path with all links followed, even to a file that does not exist yet; otherwise unchanged.
  package static func resolved(_ path: String) -> String { resolved(path, links: 40) }

  /// The path from the root on, with all links followed as far as it exists.
  ///
  /// It is relative if the name of the current folder is not text.
  package static func absolute(_ path: String) -> String {
    let path = resolved(path)
    // The current folder remains only if its name is not text.
    if path == "." || path.isAbsolutePath && exists(path) { return path }
    let (parent, last) = (absolute(folder(of: path)), name(of: path))
    switch last {
    case "", ".": return parent
    case "..": return folder(of: parent)
    default: return parent == "/" ? "/\(last)" : "\(parent)/\(last)"
    }
  }

  /// Whether a symbolic link is part of a path.
  package static func hasLink(_ path: String) -> Bool {
    let parent = folder(of: path)
    return link(path) != nil || parent != path && hasLink(parent)
  }

  /// The path from the root on, to be stored; throws if the name of the current folder is not text.
  package static func lasting(_ path: String) throws(SystemError) -> String {
    let whole = absolute(path)
    guard whole.isAbsolutePath else { throw SystemError(.open, path, code: EILSEQ) }
    return whole
  }

  /// The target of a symbolic link; any other path unchanged.
  package static func target(of path: String) -> String { link(path) == nil ? path : resolved(path) }

  private static func resolved(_ path: String, links: Int) -> String {
    if let real = unsafe realpath(path, nil) {
      defer { unsafe free(real) }
      // A repaired name would be that of another file.
      return unsafe String(validatingCString: real) ?? path
    }
    guard errno == ENOENT, links > 0, let next = link(path) else { return path }
    return resolved(next.isAbsolutePath ? next : "\(folder(of: path))/\(next)", links: links - 1)
  }

  /// The target stored in a symbolic link.
  private static func link(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count > 0 && count < bytes.count ? String(validating: bytes[..<count], as: UTF8.self) : nil
  }

  package static func name(of path: String) -> String {
    String(path[(lastSlash(of: path).map { path.utf8.index(after: $0) } ?? path.startIndex)...])
  }

  package static func folder(of path: String) -> String {
    guard let slash = lastSlash(of: path) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last slash, found as a byte: a name may begin with a scalar that forms one character with the slash.
  private static func lastSlash(of path: String) -> String.Index? {
    path.utf8.lastIndex(of: UInt8(ascii: "/"))
  }
}

extension String {
  /// Whether the first byte is a slash.
  var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }
}
