// swift-tools-version: 6.2
import Foundation
import PackageDescription

// An app that links the libraries as any other package does, and sees what is public. Tests/Embedding/run.sh makes a
// folder of Sources of each example in docs/library.md, and links it with the products that it imports.

let sources = URL(filePath: Context.packageDirectory).appending(path: "Sources")

let package = Package(
  name: "app",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "peersync", path: Context.environment["PEERSYNC_PACKAGE"]!)],
  targets: try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted().map { name in
    let text = try String(contentsOf: sources.appending(path: "\(name)/main.swift"), encoding: .utf8)
    let products = ["SyncCore", "Chores", "Devices", "StoreSync"].filter { text.contains("import \($0)\n") }
    return .executableTarget(
      name: name, dependencies: products.map { .product(name: $0, package: "peersync") })
  }
)
