import CommandLineTool
import SyncCore
import SystemIO

/// The file of types that unpack adds to.
struct WireTypesFile {
  private let path: String
  private var saved: [UInt8]
  var types: WireTypes

  /// A file that does not exist knows nothing.
  init(_ path: String) throws {
    self.path = path
    do throws(SystemError) {
      saved = try ByteInput.contents(of: path)
    } catch {
      guard error.isMissing else { throw error }
      saved = []
    }
    types = saved.isEmpty ? WireTypes() : try WireTypes(saved, file: path)
  }

  /// Writes what has been learnt, unless the file says just that.
  mutating func save() throws {
    var bytes: [UInt8] = []
    types.append(to: &bytes)
    guard bytes != saved else { return }
    let file = try AtomicFile(creating: path)
    try file.write(bytes.span)
    try file.commit()
    saved = bytes
  }
}

extension WireTypes {
  init(file: String) throws { try self.init(ByteInput.contents(of: file), file: file) }

  init(_ bytes: [UInt8], file: String) throws {
    do throws(WireFailure) {
      try self.init(parsing: bytes.span)
    } catch {
      throw Diagnostic(error, in: file, text: bytes.span)
    }
  }
}

extension Diagnostic {
  /// A failure in a file that is one JSON text, where nothing can be lost; of one that is no JSON the line is told.
  init(_ failure: WireFailure, in file: String, text: Span<UInt8>) {
    guard case .json(let error) = failure.error else {
      self.init(failure, in: file)
      hint = nil
      return
    }
    var lines = WireLines()
    let (line, failure) = lines.failure(error, in: text)
    self.init(failure, in: file, line: line)
  }
}
