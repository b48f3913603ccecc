import Devices
import JSONLines
import SyncCore

/// A log that goes through a filter, a line after the other.
struct MeshLog {
  private(set) var errors: [MeshError] = []
  private(set) var lines: [String] = []
  private var filter: MeshEventFilter

  init(registry: MeshRegistry = MeshRegistry()) { filter = MeshEventFilter(registry: registry) }

  /// Runs a complete log.
  init(_ first: String, _ others: String...) {
    self.init()
    for line in [first] + others { handle(line) }
    finish()
  }

  mutating func handle(_ line: String) {
    var output: [UInt8] = []
    do throws(MeshError) {
      try filter.handle(Array(line.utf8).span, into: &output)
    } catch {
      errors.append(error)
    }
    lines += String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  mutating func finish() { errors += filter.finish() }

  mutating func news() -> [MeshRegistry.News] { filter.takeNews() }

  /// `peerConnected K1`, and for messages the song that is voted for: `messageReceived K1 1`.
  var events: [String] {
    lines.map { line in
      guard let value = try? JSONValue(parsing: Array(line.utf8).span) else { return line }
      let peer = value["peer"] ?? value["from"]
      let words = [
        value["event"]?.stringValue ?? "?", peer?["id"]?.stringValue ?? value["role"]?.stringValue,
        value["message"]?["intent"]?["_0"]?["vote"]?["songID"]?.stringValue,
      ]
      return words.compactMap(\.self).joined(separator: " ")
    }
  }

  // MARK: Lines

  static func found(_ handle: String, _ name: String = "Bob", id: String? = nil) -> String {
    let info = id.map { ",\"discoveryInfo\":{\"id\":\"\($0)\"}" } ?? ""
    return
      #"{"callback":"browser:foundPeer:withDiscoveryInfo:","handle":"\#(handle)","displayName":"\#(name)"\#(info)}"#
  }

  static func lost(_ handle: String) -> String { #"{"callback":"browser:lostPeer:","handle":"\#(handle)"}"# }

  static func state(_ handle: String, _ state: String, _ name: String = "Bob") -> String {
    #"{"callback":"session:peer:didChangeState:","handle":"\#(handle)","displayName":"\#(name)","state":"\#(state)"}"#
  }

  static func data(_ handle: String, _ text: String) -> String {
    var base64: [UInt8] = []
    Base64.append(Array(text.utf8).span, to: &base64)
    let data = String(decoding: base64, as: UTF8.self)
    return #"{"callback":"session:didReceiveData:fromPeer:","handle":"\#(handle)","data":"\#(data)"}"#
  }

  static func vote(_ handle: String, _ song: String) -> String { data(handle, vote(song)) }

  static func vote(_ song: String) -> String { #"{"intent":{"_0":{"vote":{"songID":"\#(song)"}}}}"# }
}
