package import SystemIO

extension Diagnostic {
  package init(_ error: SystemError) {
    let code: DiagnosticCode =
      switch error.action {
      case .open: error.isMissing ? .fileNotFound : .notReadable
      case .create: .cannotCreate
      case .lock: error.isHeld ? .storeBusy : .cannotCreate
      case .read: .readFailed
      case .write: .writeFailed
      case .listen: .cannotListen
      case .connect: .cannotConnect
      case .spawn: error.isMissing || error.code == EACCES ? .commandNotFound : .commandFailed
      }
    let reason = error.isHeld ? "another process holds the lock" : error.reason
    self.init(code, reason, file: error.path)
  }
}
