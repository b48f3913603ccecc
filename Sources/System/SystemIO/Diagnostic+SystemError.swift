package import JSONLines

extension Diagnostic {
  package init(_ error: SystemError) {
    let code: ErrorCode =
      switch error.action {
      case .open: error.isMissing ? .fileNotFound : .notReadable
      case .create: .cannotCreate
      case .lock: error.isHeld ? .storeBusy : .cannotCreate
      case .read: error.code == EFBIG ? .fileTooLarge : .readFailed
      case .write: .writeFailed
      case .listen: .cannotListen
      case .connect, .resolve: .cannotConnect
      case .spawn: error.isMissing || error.code == EACCES ? .commandNotFound : .commandFailed
      }
    self.init(code, error.isHeld ? Self.holder(of: error.path) : error.reason, file: error.path)
  }

  private static func holder(of lock: String) -> String {
    guard let holder = FileLock.holder(of: lock) else { return "another process holds the lock" }
    return "process \(holder.process) (\(holder.name)) holds the lock"
  }
}
