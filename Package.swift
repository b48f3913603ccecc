// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  // For the Span of a TextRegion: how long it may live is written beside it.
  .enableExperimentalFeature("Lifetimes"),
]

/// A library module under Sources.
func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A module that its tests give much data to.
func heavy(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + optimizedInTests)
}

/// Tests/run.sh builds for debugging, but these modules optimized.
///
/// An unsafe flag may not be in the manifest that another package reads.
let optimizedInTests: [SwiftSetting] =
  Context.environment["PEERSYNC_TEST_BUILD"] == nil
  ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Lays what a start touches side by side, see docs/decisions/0012-link-order.md; a name that is gone does no harm.
let linkOrder = [
  "-use-ld=lld", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/link-order.txt",
  "--no-warn-symbol-ordering", "--no-rosegment",
].flatMap { $0.hasPrefix("--") ? ["-Xlinker", $0] : [$0] }

/// A command that links no C library: fully static in release builds on Linux.
func filter(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(
    name: name, dependencies: ["CommandLineTool", "SystemIO"] + dependencies, path: "Sources/Tools/\(name)",
    swiftSettings: strict,
    linkerSettings: [
      .unsafeFlags(["-static-executable"] + linkOrder, .when(platforms: [.linux], configuration: .release))
    ])
}

/// A command that talks to a C library of the system, to which it is linked dynamically.
func tool(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(
    name: name, dependencies: ["CommandLineTool", "SystemIO"] + dependencies, path: "Sources/Tools/\(name)",
    swiftSettings: strict)
}

func tests(
  _ name: String, path: String? = nil, exclude: [String] = [], _ dependencies: Target.Dependency...,
  settings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict + settings)
}

let package = Package(
  name: "peersync",
  platforms: [.macOS(.v15)],
  products: [.library(name: "SyncCore", targets: ["SyncCore"])],
  targets: [
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    heavy("JSONLines"),
    heavy("SyncCore", "JSONLines"),
    module("SystemIO", "JSONLines"),
    module("CommandLineTool", "JSONLines", "SyncCore", "SystemIO"),
    module("ChangeFiles", "JSONLines", "SyncCore", "SystemIO", "CommandLineTool"),
    heavy("Discovery", "JSONLines", "SyncCore", "SystemIO"),
    module("Symbols", "CQREncode"),
    module("Transport", "COpenSSL", "JSONLines", "SyncCore", "SystemIO"),
    module("Trust", "JSONLines", "SyncCore", "SystemIO", "Transport", "CommandLineTool"),
    heavy("StoreFiles", "CSQLite", "JSONLines", "SystemIO", "CommandLineTool"),
    heavy("History", "StoreFiles", "JSONLines", "SyncCore", "SystemIO", "CommandLineTool"),
    heavy("StoreSimulation", "History", "JSONLines", "SyncCore", "SystemIO"),
    module("Peering", "JSONLines", "SyncCore", "SystemIO", "CommandLineTool", "Transport", "Trust"),
    module(
      "Syncing", "JSONLines", "SyncCore", "SystemIO", "CommandLineTool", "ChangeFiles", "Transport", "Trust",
      "Peering",
      "StoreFiles", "History", "Discovery"),
    module("Delivery", "CCurl", "JSONLines", "StoreFiles", "SyncCore", "SystemIO", "Transport"),
    filter("assign", "JSONLines", "SyncCore", "ChangeFiles"),
    filter("deltadiff", "JSONLines", "SyncCore", "ChangeFiles"),
    filter("frame", "JSONLines", "SyncCore"),
    filter("lwwmerge", "JSONLines", "SyncCore", "ChangeFiles"),
    filter("meshevents", "JSONLines", "SyncCore"),
    filter("peerdiscover", "JSONLines", "SyncCore", "Discovery"),
    filter("watchcontext", "JSONLines", "SyncCore"),
    tool("notify", "JSONLines", "SyncCore", "ChangeFiles", "StoreFiles", "Transport", "Trust", "Delivery"),
    tool("peerlink", "JSONLines", "SyncCore", "Discovery", "Transport", "Trust", "Peering"),
    tool("peerpair", "JSONLines", "SyncCore", "Transport", "Trust", "Peering"),
    tool(
      "peersync", "JSONLines", "SyncCore", "Transport", "Trust", "Peering", "StoreFiles", "History",
      "Syncing", "Symbols"),
    tool("qrpayload", "JSONLines", "SyncCore", "Symbols"),
    tool("synclog", "JSONLines", "SyncCore", "ChangeFiles", "StoreFiles", "History", "Transport"),
    tool("syncsim", "JSONLines", "SyncCore", "StoreSimulation"),
    tests("TestSupport"),
    tests("JSONLinesTests", "JSONLines", "SyncCore", "TestSupport"),
    tests("SyncCoreTests", "SyncCore", "JSONLines", "TestSupport"),
    tests("SortingTests", "SyncCore", "JSONLines", "TestSupport", settings: optimizedInTests),
    tests("SystemIOTests", "SystemIO"),
    tests("DiscoveryTests", "Discovery", "JSONLines", "SyncCore", "SystemIO", "TestSupport"),
    tests("SymbolsTests", "Symbols"),
    tests("DeliveryTests", "Delivery", "JSONLines", "StoreFiles", "SyncCore", "SystemIO"),
    tests(
      "HistoryTests", "History", "CommandLineTool", "StoreFiles", "CSQLite", "JSONLines", "SyncCore",
      "SystemIO"),
    tests("TransportTests", "Transport", "JSONLines", "SyncCore", "SystemIO", "TestSupport"),
    tests("TrustTests", "Trust", "SyncCore", "Transport", "TestSupport"),
    tests("StoreSimulationTests", "StoreSimulation", "JSONLines", "SyncCore", "TestSupport"),
    tests(
      "SyncingTests", "Syncing", "Peering", "History", "StoreFiles", "Transport", "CommandLineTool",
      "SyncCore", "JSONLines", "SystemIO", "TestSupport"),
    tests("CommandLineToolTests", "CommandLineTool", "JSONLines", "SystemIO"),
    tests(
      "AcceptanceTests", path: "Tests/Acceptance", exclude: ["Cases"], "CommandLineTool", "JSONLines",
      "SyncCore", "TestSupport"),
  ]
)
