import Foundation
@testable import SystemIO
import TestSupport
import Testing

/// A listening socket at a path.
@Suite struct ServerSocketTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [(0, 0o660), (0o027, 0o640)] as [(mode_t, mode_t)])
  func othersMayNotConnect(mask: mode_t, expected: mode_t) async {
    let path = folder.path("s")
    await #expect(processExitsWith: .success) {
      [path = path as String, mask = mask as mode_t, expected = expected as mode_t] in
      umask(mask)
      _ = try ServerSocket.listen(at: path)
      #expect(FileMode.permissions(of: path) == expected)
    }
  }
}
