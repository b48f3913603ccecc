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

/// A module in one of the folders of Sources: `Core` is pure (no input or output, no clock, no chance), `System` talks
/// to the machine and to C libraries, `Command` makes a command line of it.
func module(_ folder: String, _ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)",
    swiftSettings: ["JSONLines", "SyncCore"].contains(name) ? strict + optimizedInQuick : strict)
}

/// What Tests/run.sh builds: `tests`, beside the tools and of the same objects, `quick` (the pure modules and their
/// tests, for debugging), or nothing of that.
let testBuild = Context.environment["PEERSYNC_TEST_BUILD"]

/// Most data in the tests of `make quick` goes through these modules.
///
/// An unsafe flag may not be in the manifest that another package reads.
let optimizedInQuick: [SwiftSetting] =
  testBuild == "quick" ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []

/// Optimizing tests takes longer than it saves, except for tests that sort much data themselves.
///
/// No module waits for the interface of a test, so the same job writes it and does not read the sources twice.
let unoptimized: [SwiftSetting] =
  testBuild == "tests"
  ? [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))] : []

/// Lays what a start touches side by side, see docs/decisions/0012-link-order.md; a name that is gone does no harm.
let linkOrder = [
  "-use-ld=lld", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/link-order.txt",
  "--no-warn-symbol-ordering", "--no-rosegment",
].flatMap { $0.hasPrefix("--") ? ["-Xlinker", $0] : [$0] }

/// A command that links no C library: fully static in release builds on Linux.
func filter(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(
    name: name, dependencies: ["CommandLine", "SystemIO"] + dependencies, path: "Sources/Tools/\(name)",
    swiftSettings: strict,
    linkerSettings: [
      .unsafeFlags(["-static-executable"] + linkOrder, .when(platforms: [.linux], configuration: .release))
    ])
}

/// A command that talks to C libraries of the system, to which it is linked dynamically; Swift's it has in it.
func tool(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(
    name: name, dependencies: ["CommandLine", "SystemIO"] + dependencies, path: "Sources/Tools/\(name)",
    swiftSettings: strict,
    linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))])
}

func tests(
  _ name: String, path: String? = nil, exclude: [String] = [], _ dependencies: Target.Dependency...,
  settings: [SwiftSetting] = unoptimized
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict + settings)
}

/// The tests that `make quick` builds and runs: those of the pure modules.
let pureTests: Set = [
  "JSONLinesTests", "SyncCoreTests", "SortingTests", "CapturesTests", "PairingTests", "ChoresTests",
  "DevicesTests", "SimulationTests", "StoreSyncTests",
]

let package = Package(
  name: "peersync",
  // The lowest that have `Mutex` and `Atomic`.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: ["SyncCore", "Chores", "Devices", "StoreSync", "PeerProtocol", "PeerSync"].map {
    .library(name: $0, targets: [$0])
  },
  targets: [
    .systemLibrary(name: "CCommit", path: "Sources/Command/CCommit"),
    .systemLibrary(name: "CCurlOnDemand", path: "Sources/System/CCurlOnDemand"),
    .systemLibrary(name: "CICalOnDemand", path: "Sources/System/CICalOnDemand"),
    .systemLibrary(name: "CPcapOnDemand", path: "Sources/System/CPcapOnDemand"),
    .systemLibrary(name: "CZlibOnDemand", path: "Sources/System/CZlibOnDemand"),
    .systemLibrary(name: "CMicrohttpdOnDemand", path: "Sources/System/CMicrohttpdOnDemand"),
    .systemLibrary(name: "CPQOnDemand", path: "Sources/System/CPQOnDemand"),
    .systemLibrary(
      name: "COpenSSL", path: "Sources/System/COpenSSL", pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CQREncode", path: "Sources/System/CQREncode", pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/System/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    module("Core", "JSONLines"),
    module("Core", "SyncCore", "JSONLines"),
    module("Core", "Pairing", "JSONLines", "SyncCore"),
    module("Core", "PeerProtocol", "JSONLines", "SyncCore", "Pairing"),
    module("Core", "Chores", "JSONLines", "SyncCore"),
    module("Core", "Devices", "JSONLines", "SyncCore"),
    module("Core", "Captures", "JSONLines", "SyncCore"),
    module("Core", "StoreSync", "JSONLines", "SyncCore"),
    module("Core", "ServerProtocol", "JSONLines", "SyncCore"),
    module("Core", "Drawings", "JSONLines", "SyncCore", "Captures", "Chores"),
    module("Core", "Simulation", "JSONLines", "SyncCore"),
    module("System", "SystemIO", "JSONLines"),
    module("System", "Calendars", "CICalOnDemand", "JSONLines", "Chores"),
    module("System", "CaptureFiles", "CPcapOnDemand", "JSONLines", "SyncCore", "SystemIO"),
    module("System", "Crypto", "COpenSSL", "JSONLines", "SyncCore", "Pairing", "SystemIO"),
    module("System", "Discovery", "JSONLines", "SyncCore", "SystemIO"),
    module("System", "QRCode", "CQREncode"),
    module("System", "Store", "CSQLite", "JSONLines", "SyncCore", "PeerProtocol", "SystemIO"),
    module("System", "Postgres", "CPQOnDemand", "JSONLines", "SyncCore", "SystemIO", "Store"),
    module("System", "Tables", "Store", "JSONLines", "SyncCore", "SystemIO"),
    module("System", "Bindings", "Store", "Tables", "JSONLines", "SyncCore", "SystemIO"),
    module("System", "StoreSimulation", "Store", "JSONLines", "SyncCore", "Simulation"),
    module(
      "System", "Links", "COpenSSL", "CZlibOnDemand", "JSONLines", "SyncCore", "Captures", "Pairing",
      "SystemIO", "Crypto"),
    module(
      "System", "Sessions", "JSONLines", "SyncCore", "PeerProtocol", "Pairing", "SystemIO", "Crypto", "Links",
      "Store",
      "Discovery"),
    module(
      "System", "PeerSync", "JSONLines", "SyncCore", "PeerProtocol", "Pairing", "StoreSync", "SystemIO",
      "Crypto", "Links",
      "Store",
      "Sessions"),
    module(
      "System", "Remotes", "CCurlOnDemand", "JSONLines", "SyncCore", "ServerProtocol", "SystemIO", "Crypto",
      "Store"),
    module(
      "System", "Push", "CCurlOnDemand", "JSONLines", "SyncCore", "Chores", "SystemIO", "Crypto", "Store"),
    module(
      "System", "Server", "CMicrohttpdOnDemand", "JSONLines", "SyncCore", "ServerProtocol", "Chores",
      "SystemIO",
      "Crypto", "Store", "Postgres"),
    module("Command", "CommandLine", "CCommit", "JSONLines", "SystemIO"),
    module("Command", "CommonInputs", "JSONLines", "SyncCore", "SystemIO", "CommandLine"),
    module(
      "Command", "RecordInputs", "JSONLines", "SyncCore", "Chores", "SystemIO", "CommandLine", "CommonInputs"),
    module("Command", "PairingInputs", "SyncCore", "Pairing", "CommandLine"),
    module(
      "Command", "LinkInputs", "JSONLines", "SyncCore", "Pairing", "SystemIO", "Crypto", "Links",
      "CommandLine", "CommonInputs"),
    filter("assign", "JSONLines", "SyncCore", "Chores", "Drawings", "CommonInputs", "RecordInputs"),
    filter("deltadiff", "JSONLines", "SyncCore", "CommonInputs", "RecordInputs"),
    filter("frame", "JSONLines", "SyncCore", "Pairing", "Captures", "Drawings", "CommonInputs"),
    filter("lwwmerge", "JSONLines", "SyncCore", "CommonInputs", "RecordInputs"),
    filter("meshevents", "JSONLines", "SyncCore", "Devices"),
    filter("peerdiscover", "JSONLines", "SyncCore", "Captures", "Discovery", "CommonInputs"),
    filter("watchcontext", "JSONLines", "SyncCore", "Devices"),
    tool(
      "notify", "JSONLines", "SyncCore", "Chores", "CommonInputs", "RecordInputs", "Crypto", "Store", "Push",
      "Links", "Calendars"),
    tool("pcapstream", "JSONLines", "SyncCore", "Captures", "CaptureFiles"),
    tool(
      "peerlink", "JSONLines", "SyncCore", "Pairing", "Discovery", "Crypto", "Links", "CommonInputs",
      "LinkInputs"),
    tool("peerpair", "JSONLines", "SyncCore", "Pairing", "Crypto", "Links", "CommonInputs", "PairingInputs"),
    tool(
      "peersync", "JSONLines", "SyncCore", "PeerProtocol", "Pairing", "Crypto", "Links", "Store", "Sessions",
      "Remotes", "Discovery",
      "Tables", "Bindings", "QRCode",
      "CommonInputs", "RecordInputs", "LinkInputs", "PairingInputs"),
    tool("qrpayload", "JSONLines", "SyncCore", "Pairing", "QRCode", "CommonInputs", "PairingInputs"),
    tool(
      "synclog", "JSONLines", "SyncCore", "PeerProtocol", "Pairing", "CommonInputs", "RecordInputs", "Crypto",
      "Links", "Store"),
    tool(
      "syncserve", "JSONLines", "SyncCore", "ServerProtocol", "Server", "Crypto", "Store", "Postgres",
      "CommonInputs",
      "RecordInputs"),
    tool("tablerows", "JSONLines", "SyncCore", "Store", "Tables", "CommonInputs", "RecordInputs"),
    tool("syncsim", "JSONLines", "SyncCore", "Simulation", "StoreSimulation"),
    tests("TestSupport", "JSONLines", "SyncCore"),
    tests("JSONLinesTests", "JSONLines", "SyncCore", "TestSupport"),
    tests("SyncCoreTests", "SyncCore", "JSONLines", "Captures", "Devices", "TestSupport"),
    tests("SortingTests", "SyncCore", "JSONLines", "TestSupport", settings: optimizedInQuick),
    tests("CapturesTests", "Captures", "Drawings", "SyncCore", "JSONLines", "TestSupport"),
    tests("PairingTests", "Pairing", "SyncCore", "JSONLines", "TestSupport"),
    tests("ChoresTests", "Chores", "Drawings", "SyncCore", "JSONLines", "TestSupport"),
    tests("DevicesTests", "Devices", "SyncCore", "JSONLines", "TestSupport"),
    tests("StoreSyncTests", "StoreSync", "TestSupport"),
    tests(
      "PeerSyncTests", "PeerSync", "PeerProtocol", "StoreSync", "Crypto", "JSONLines", "SyncCore", "SystemIO",
      "TestSupport"),
    tests("SimulationTests", "Simulation", "SyncCore", "JSONLines", "TestSupport"),
    tests("CalendarsTests", "Calendars", "Chores", "JSONLines", "SyncCore"),
    tests("SystemIOTests", "JSONLines", "SystemIO", "TestSupport"),
    tests("DiscoveryTests", "Discovery", "JSONLines", "SyncCore", "SystemIO", "TestSupport"),
    tests("QRCodeTests", "QRCode"),
    tests("RemotesTests", "Remotes", "JSONLines", "Store", "SyncCore", "SystemIO", "TestSupport"),
    tests(
      "ServerTests", "Server", "ServerProtocol", "Remotes", "JSONLines", "Store", "Postgres", "SyncCore",
      "SystemIO",
      "TestSupport"),
    tests("PushTests", "Push", "JSONLines", "Store", "SyncCore", "Chores", "SystemIO"),
    tests("TablesTests", "Tables", "Store", "JSONLines", "SystemIO", "TestSupport"),
    tests("BindingsTests", "Bindings", "JSONLines", "Store", "SyncCore", "TestSupport"),
    tests(
      "PostgresTests", "Postgres", "JSONLines", "Store", "SyncCore", "SystemIO", "TestSupport"),
    tests(
      "StoreTests", "Store", "Postgres", "CSQLite", "JSONLines", "SyncCore", "SystemIO", "TestSupport"),
    tests(
      "LinksTests", "Links", "Captures", "Crypto", "Pairing", "JSONLines", "SyncCore", "SystemIO",
      "TestSupport"),
    tests("StoreSimulationTests", "StoreSimulation", "Simulation", "JSONLines", "SyncCore", "TestSupport"),
    tests(
      "SessionsTests", "Sessions", "Links", "Crypto", "Pairing", "Store", "SyncCore", "JSONLines", "SystemIO",
      "TestSupport"),
    tests("CommandLineTests", "CommandLine", "JSONLines", "SystemIO", "TestSupport"),
    tests(
      "AcceptanceTests", path: "Tests/Acceptance", exclude: ["Cases", "Programs"], "CommandLine", "JSONLines",
      "SyncCore", "Pairing", "Devices", "Chores", "ServerProtocol", "TestSupport"),
  ]
)

if testBuild == "quick" {
  package.targets.removeAll { $0.type == .test && $0.name != "TestSupport" && !pureTests.contains($0.name) }
}
