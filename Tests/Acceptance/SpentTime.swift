import Foundation
import Synchronization
import Testing

/// How long commands have taken, as lines `SECONDS PROCESSOR-SECONDS SUITE` in the file that `PEERSYNC_TEST_TIMES` names.
///
/// The test runner's times include the wait for a place.
enum SpentTime {
  private static let file: Mutex<FileHandle?> = {
    guard let path = ProcessInfo.processInfo.environment["PEERSYNC_TEST_TIMES"] else { return Mutex(nil) }
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    return Mutex(FileHandle(forWritingAtPath: path))
  }()

  static func note(_ duration: Duration, _ processorTime: Duration) {
    guard let suite = Test.current?.id.nameComponents.first else { return }
    let seconds = [duration, processorTime].map {
      Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18
    }
    file.withLock { $0?.write(Data("\(seconds[0]) \(seconds[1]) \(suite)\n".utf8)) }
  }
}
