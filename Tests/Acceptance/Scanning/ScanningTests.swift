import Foundation
import Testing

/// A scanner reads the terminal drawings of `qrpayload render`.
@Suite struct ScanningTests {
  /// With names up to the longest that a service can have.
  private static let names = ["", "Mac", "Büro ☃ \u{202e}\"/", String(repeating: "n", count: 63)]
  /// Of light and dark terminals.
  private static let backgrounds: [UInt8] = [255, 0]

  @Test(.needs("zbarimg"), arguments: names, ["", "--full"])
  func terminal(name: String, style: String) async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    try sandbox.write(name, to: "name")
    let create = #"qrpayload create --text --protocol 1 > text"#
    let named =
      #"qrpayload create --text --device-name "$(cat name)" --fingerprint "$(printf '%064d' 7)" > text"#
    let made = try await sandbox.run("umask 077; \(name.isEmpty ? create : named) && cat text")
    try #require(made.status == 0)
    let drawn = try await sandbox.run("qrpayload render \(style) < text | cat")
    try #require(drawn.status == 0)
    let text = String(decoding: drawn.output, as: UTF8.self)
    for background in Self.backgrounds {
      let picture = try TerminalPicture(text, background: background).pgm(margin: 12, background: background)
      try sandbox.write(picture.base64EncodedString(), to: "picture")
      let scanned = try await sandbox.run(
        "base64 -d picture > picture.pgm; zbarimg -q --raw --oneshot -Sdisable -Sqrcode.enable -Sbinary picture.pgm 2> errors"
      )
      #expect(scanned.status == 0)
      #expect(scanned.output == made.output.dropLast())
    }
  }
}
