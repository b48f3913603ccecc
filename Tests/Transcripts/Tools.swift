import CommandLineTool
import Foundation

@testable import assign
@testable import deltadiff
@testable import frame
@testable import lwwmerge
@testable import meshevents
@testable import notify
@testable import peerdiscover
@testable import peerlink
@testable import peerpair
@testable import peersync
@testable import qrpayload
@testable import synclog
@testable import syncsim
@testable import watchcontext

/// The tools that are tested.
enum Tools {
  static let commands: [Command] = [
    AssignTool.command,
    DeltadiffTool.command,
    FrameTool.command,
    LwwmergeTool.command,
    MesheventsTool.command,
    NotifyTool.command,
    PeerdiscoverTool.command,
    PeerlinkTool.command,
    PeerpairTool.command,
    PeersyncTool.command,
    QrpayloadTool.command,
    SynclogTool.command,
    SyncsimTool.command,
    WatchcontextTool.command,
  ]

  static let names = commands.map(\.name)

  /// Where they are: `PEERSYNC_TOOLS`, else beside the tests that SwiftPM has built.
  static let folder: String = {
    if let folder = ProcessInfo.processInfo.environment["PEERSYNC_TOOLS"] {
      return URL(filePath: folder).path
    }
    let products = CommandLine.arguments.lazy.compactMap(productFolder).first
    return products ?? FileManager.default.currentDirectoryPath
  }()

  /// The nearest folder above a test bundle in which the tools stand; on macOS the bundle is an argument.
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
