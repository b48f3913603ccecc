import CommandLine
import Foundation

/// The tools that are tested, as files.
enum Tools {
  static let names = toolNames

  /// Their commands and options, as each tool prints them.
  static let commands = Result { try names.map { try Command(printedBy: $0) } }

  /// Their folder: `PEERSYNC_TOOLS`, otherwise beside the tests that SwiftPM has built.
  static let folder: String = {
    if let folder = ProcessInfo.processInfo.environment["PEERSYNC_TOOLS"] {
      return URL(filePath: folder).path
    }
    let products = CommandLine.arguments.lazy.compactMap(productFolder).first
    return products ?? FileManager.default.currentDirectoryPath
  }()

  /// The nearest folder above a test bundle that contains the tools; on macOS the bundle is an argument.
  private static func productFolder(above path: String) -> String? {
    guard path.contains(".xctest") else { return nil }
    var folder = URL(filePath: path).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.isExecutableFile(atPath: folder.appending(path: "frame").path) {
        return folder.path
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}
