import JSONLines
@testable import CommandLine
import Foundation
import TestSupport
import Testing

@Suite struct SecretTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ argument: String) throws -> String {
    let source = try #require(SecretSource(argument: argument))
    return String(decoding: try source.read().bytes, as: UTF8.self)
  }

  @Test func aTightFileIsRead() throws {
    #expect(try read(folder.write("hush", to: "a", mode: 0o600)) == "hush")
    #expect(try read(folder.write("hush", to: "b", mode: 0o400)) == "hush")
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o620, 0o601])
  func aLooseFileIsRefused(mode: Int) throws {
    let path = try folder.write("hush", to: "loose", mode: mode)
    let error = #expect(throws: Diagnostic.self) { try read(path) }
    #expect(error?.code == .looseSecretFile)
    #expect(error?.exit == .refused)
    #expect(error?.hint == "chmod 600 \(path)")
  }

  @Test(arguments: [0o755, 0o750, 0o701])
  func aFolderMayBeLookedInto(mode: Int) throws {
    let path = try folder.write("hush", to: "tight")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.url.path)
    #expect(try read(path) == "hush")
  }

  @Test(arguments: [0o777, 0o702, 0o1777, 0o720])
  func aTightFileInALooseFolderIsRefused(mode: Int) throws {
    let path = try folder.write("hush", to: "tight")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.url.path)
    let error = #expect(throws: Diagnostic.self) { try read(path) }
    #expect(error?.code == .looseSecretFile)
    // Not if the folder is there for others to write to.
    #expect(error?.hint?.hasPrefix(mode & 0o1000 == 0 ? "chmod go-w " : "move it ") == true)
  }

  @Test func aLinkFromATightFolderIntoALooseOneIsRefused() throws {
    try folder.makeFolder("loose")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path("loose"))
    let path = try folder.write("hush", to: "loose/secret")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
    let error = #expect(throws: Diagnostic.self) { try read(folder.path("link")) }
    #expect(error?.code == .looseSecretFile)
  }

  @Test(arguments: [
    ("hush\n", "hush"), ("hush\r\n", "hush"), ("hush\n\n", "hush\n"), ("hush\r", "hush\r"), ("\n", ""),
    ("", ""),
    (" hush ", " hush "),
  ])
  func oneLineBreakIsTakenOff(text: String, secret: String) throws {
    #expect(try read(folder.write(text, to: "secret")) == secret)
  }

  @Test func theEnvironment() throws {
    unsafe setenv("PEERSYNC_TEST_SECRET", "hush\n", 1)
    #expect(try read("env:PEERSYNC_TEST_SECRET") == "hush")
    let error = #expect(throws: Diagnostic.self) { try read("env:PEERSYNC_TEST_NOTHING") }
    #expect(error?.exit == .noInput)
    #expect(error?.message == "environment variable 'PEERSYNC_TEST_NOTHING' is not set")
  }

  @Test func aMissingFileIsNoInput() {
    let error = #expect(throws: (any Error).self) { try read(folder.path("nothing")) }
    #expect((error as? Diagnostic ?? Diagnostic(.bug, "")).code != .looseSecretFile)
  }

  @Test func nothingPrintsASecret() {
    struct Holder { var secret = Secret(Array("hush".utf8)) }
    var dumped = ""
    dump(Holder(), to: &dumped)
    let bytes = "\(Array("hush".utf8))"
    for text in ["\(Holder())", String(reflecting: Holder()), "\(Holder().secret)", dumped] {
      #expect(text.contains("(secret)"))
      // As a list, or as an element of one; the address of a type may have the digits too.
      #expect(!text.contains("hush") && !text.contains(bytes) && !text.contains("- 104"), "\(text)")
    }
  }
}
