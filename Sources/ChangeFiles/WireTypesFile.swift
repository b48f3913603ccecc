import CommandLineTool
package import SyncCore
import SystemIO

/// The file of types that unpack adds to.
package struct WireTypesFile {
  private let path: String
  private var saved: [UInt8]
  package var types: WireTypes

  /// A file that does not exist knows nothing.
  package init(_ path: String) throws {
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
  package mutating func save() throws {
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
  package init(file: String) throws { try self.init(ByteInput.contents(of: file), file: file) }

  package init(_ bytes: [UInt8], file: String) throws {
    do throws(WireFailure) {
      try self.init(parsing: bytes.span)
    } catch {
      throw Diagnostic(error, in: file, text: bytes.span)
    }
  }
}
