import Devices
import Foundation
import JSONLines
import SyncCore
import Testing

/// The events and messages that an app reads and writes.
@Suite struct LibraryJSONTests {
  private let song = MeshSong(id: "s", title: "Song", artist: "Band", duration: 180.5)
  private let kim = MeshPeer(id: "kim", name: "Kim")

  private var events: [MeshEvent] {
    var snapshot = MeshSnapshot()
    snapshot.queue = [.init(id: "e", song: song, addedBy: kim, voters: ["kim"])]
    return [
      .discovered(kim), .lost(kim), .connected(kim), .disconnected(kim),
      .startFailed(role: "browser", reason: "no network"),
      .message(.intent(.vote(songID: "s"), again: true), from: kim),
      .message(.stateUpdate(snapshot), from: kim),
      .own(.vote(songID: "s")), .own(.suggestSong(song)), .control(.pause), .remove(songID: "s"),
    ]
  }

  @Test func meshEventsComeBack() throws {
    for event in events { #expect(try MeshEvent(line: event.line) == event) }
  }

  @Test func meshMessagesComeBack() throws {
    for message in [MeshMessage.intent(.suggestSong(song)), .stateUpdate(MeshSnapshot())] {
      #expect(try MeshMessage(data: message.data) == message)
    }
    let error = #expect(throws: SyncError.self) { try MeshMessage(data: Array("{}".utf8)) }
    #expect(error?.code == .notAMeshMessage)
  }

  @Test func aPeerIsCodableAsAppsSpellIt() throws {
    let old = Data(#"{"id":"kim","displayName":"Kim"}"#.utf8)
    #expect(try JSONDecoder().decode(MeshPeer.self, from: old) == kim)
    #expect(try JSONDecoder().decode(MeshPeer.self, from: JSONEncoder().encode(kim)) == kim)
  }

  @Test func callbacksBecomeOneStream() {
    var session = MeshEvents()
    func items(_ callback: String, _ rest: String) -> [MeshEvents.Item] {
      session.items(of: Array(#"{"callback":"\#(callback)","handle":"h",\#(rest)}"#.utf8))
    }
    #expect(
      items("browser:foundPeer:withDiscoveryInfo:", #""displayName":"Kim","discoveryInfo":{"id":"kim"}"#)
        == [.event(.discovered(kim))])
    let data = Data(MeshMessage.intent(.vote(songID: "s")).data).base64EncodedString()
    #expect(items("session:didReceiveData:fromPeer:", #""data":"\#(data)""#) == [])
    #expect(
      items("session:peer:didChangeState:", #""state":"connected""#)
        == [.event(.connected(kim)), .event(.message(.intent(.vote(songID: "s")), from: kim))])
    guard case .problem(let error) = items("session:didReceiveData:fromPeer:", #""data":"?""#).last else {
      Issue.record("no problem")
      return
    }
    #expect(error.code == .invalidBase64)
    #expect(session.finish() == [])
  }

  @Test func actionsOfOneSideAreEventsOfTheOther() throws {
    var map = ContextMap()
    map["goal"] = [1, 2]
    let pairs: [(ContextAction, ContextEvent)] = [
      (.updateApplicationContext(map), .didReceiveApplicationContext(map)),
      (.reply(id: "1", .snapshot(map)), .didReceiveReply(id: "1", .snapshot(map))),
      (.reply(id: "1", .ack), .didReceiveReply(id: "1", .ack)),
      (.sendMessage(id: "1"), .didReceiveMessage(id: "1")), (.transferUserInfo, .didReceiveUserInfo),
    ]
    for (action, event) in pairs { #expect(try ContextEvent(line: action.line) == event) }
    let value = try RegisteredValue(
      line: Array(#"{"key":"goal","availability":"all","policy":"manual","text":"5 km"}"#.utf8))
    #expect(
      value == RegisteredValue(key: "goal", availability: .all, policy: .manual, data: Array("5 km".utf8)))
    #expect(throws: SyncError.self) { try ContextEvent(line: Array("{}".utf8)) }
  }
}
