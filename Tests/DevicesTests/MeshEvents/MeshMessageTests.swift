import Devices
import JSONLines
import SyncCore
import Testing

@Suite struct MeshMessageTests {
  private static let song = #"{"id":"1","title":"T","artist":"A","duration":180.5}"#
  private static let peer = #"{"id":"K","name":"Bob"}"#

  private static let messages = [
    #"{"intent":{"_0":{"vote":{"songID":"1"}}}}"#,
    #"{"intent":{"_0":{"suggestSong":{"_0":\#(song)}}}}"#,
    #"{"intent":{"_0":{"vote":{"songID":"1"}},"again":true}}"#,
    #"{"stateUpdate":{"_0":{"isPlaying":false,"queue":[],"connectedPeers":[]}}}"#,
    #"{"stateUpdate":{"_0":{"nowPlaying":\#(song),"isPlaying":true,"queue":[{"id":"1","song":\#(song),"#
      + #""addedBy":\#(peer),"voters":["K"]}],"connectedPeers":[\#(peer)],"removedSong":\#(song),"sequence":7}}}"#,
  ]

  /// A state with the song and the peer in every possible place.
  private static func state(song: String = Self.song, peer: String = Self.peer) -> String {
    #"{"stateUpdate":{"_0":{"nowPlaying":\#(song),"isPlaying":true,"queue":[{"id":"1","song":\#(song),"#
      + #""addedBy":\#(peer),"voters":[]}],"connectedPeers":[\#(peer)]}}}"#
  }

  @Test(arguments: [
    #"{"id":"K","displayName":"Bob"}"#, #"{"displayName":"Bob","id":"K","name2":1}"#,
    #"{"id":"K","display\u004eame" : "Bob"}"#,
  ])
  func displayNameIsANameToo(peer: String) throws {
    let message = try MeshMessage(parsing: Array(Self.state(peer: peer).utf8).span)
    #expect(message.json.text == Self.state())
  }

  @Test(arguments: messages)
  func bothWays(text: String) throws {
    let message = try MeshMessage(parsing: Array(text.utf8).span)
    #expect(message.json.text == text)
  }

  /// Every message with a missing byte is refused, and none crashes the reader.
  @Test(arguments: messages)
  func everyTruncation(text: String) {
    let bytes = Array(text.utf8)
    for count in bytes.indices {
      #expect(throws: MeshError.self) { try MeshMessage(parsing: Array(bytes[..<count]).span) }
    }
  }

  @Test(arguments: messages)
  func everyFlippedByte(text: String) {
    let bytes = Array(text.utf8)
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        // A message that is read can be written and read again.
        guard let message = try? MeshMessage(parsing: damaged.span) else { continue }
        #expect(throws: Never.self) { try MeshMessage(parsing: Array(message.json.text.utf8).span) }
      }
    }
  }

  /// Members in the usual order are recognized in another way than others.
  @Test(arguments: messages)
  func membersInAnyOrder(text: String) throws {
    let bytes = Array(text.utf8)
    let other = Self.reversed(try JSONValue(parsing: bytes.span))
    let message = try MeshMessage(parsing: bytes.span)
    #expect(try MeshMessage(parsing: Array(other.text.utf8).span) == message)
  }

  @Test(arguments: messages)
  func namesWithEscapesAndBlanks(text: String) throws {
    let message = try MeshMessage(parsing: Array(text.utf8).span)
    for (old, new) in [
      (#"":"#, #"" : "#), (#"":"#, #"": "#), (#"":"#, "\"\t:"), (#"{""#, #"{ ""#), (#","#, " , "),
      (#""_0""#, #""\u005f0""#), (#"ID""#, #"\u0049D""#), (#"id""#, #"\u0069d""#),
      (#"ying""#, #"y\u0069ng""#),
      (#"Peers""#, #"\u0050eers""#),
    ] {
      let other = text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
      #expect(try MeshMessage(parsing: Array(other.utf8).span) == message, "\(other)")
    }
  }

  /// An app that reads the duration as a double would refuse the complete state.
  @Test func durationsAreDoubles() throws {
    func isTaken(_ duration: String) -> Bool {
      let text =
        #"{"intent":{"_0":{"suggestSong":{"_0":{"id":"1","title":"T","artist":"A","duration":\#(duration)}}}}}"#
      return (try? MeshMessage(parsing: Array(text.utf8).span)) != nil
    }
    let nines = String(repeating: "9", count: 309)
    for duration in ["0", "180.5", "1e3", "1.7976931348623157E308", "1e-999", String(nines.dropLast())] {
      #expect(isTaken(duration), "\(duration)")
    }
    for duration in ["1e999", "-1E309", "1.8e308", nines] { #expect(!isTaken(duration), "\(duration)") }
  }

  private static func reversed(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(members.reversed().map { JSONMember($0.name, reversed($0.value)) })
    case .array(let elements): .array(elements.map { reversed($0) })
    default: value
    }
  }

  @Test(arguments: [
    #"{"intent":{"_0":{"vote":{"songID":"1","more":1}},"x":[{}]},"y":null}"#,
    #"{"\u0069ntent":{"_0":{"vote":{"songID":"1"}}}}"#,
    #" { "intent" : { "_0" : { "vote" : { "songID" : "1" } } } } "#,
  ])
  func unknownMembersArePassedOver(text: String) throws {
    #expect(try MeshMessage(parsing: Array(text.utf8).span) == .intent(.vote(songID: "1")))
  }

  @Test(arguments: [
    (#"{"other":{}}"#, "none of 'intent' and 'stateUpdate'"),
    (
      #"{"intent":{"_0":{"vote":{"songID":"1"},"suggestSong":{"_0":\#(song)}}}}"#,
      "more than one of 'vote' and 'suggestSong'"
    ),
    (#"{"intent":null}"#, "'intent' is not an object"),
    (#"{"intent":{"_0":{"vote":{"songID":"1","songID":"2"}}}}"#, "duplicate 'songID'"),
    (state(peer: #"{"id":"K","name":"a","\u0069d":"L"}"#), "duplicate 'id'"),
    (state(peer: #"{"id":"K","name":"a","name":"b"}"#), "more than one of 'name' and 'displayName'"),
    (state(peer: #"{"id":"K","name":"a","displayName":"a"}"#), "more than one of 'name' and 'displayName'"),
    (state(peer: #"{"id":"K"}"#), "no member 'name'"),
    (state(peer: #"{"displayName":"a"}"#), "no member 'id'"),
    (state(peer: #"{"id":"K","displayName":7}"#), "'displayName' is not a string"),
    (state(song: #"{"id":"1","title":"T","title":"U","artist":"A","duration":1}"#), "duplicate 'title'"),
    (
      #"{"intent":{"_0":{"suggestSong":{"_0":{"id":"1","title":"T","artist":"A"}}}}}"#, "no member 'duration'"
    ),
    (
      #"{"stateUpdate":{"_0":{"isPlaying":1,"queue":[],"connectedPeers":[]}}}"#,
      "'isPlaying' is not true or false"
    ),
    (#"{"intent":{"_0":{"vote":{"songID":"1"}},"again":1}}"#, "'again' is not true or false"),
    (#"{"stateUpdate":{"_0":{"isPlaying":true,"queue":{},"connectedPeers":[]}}}"#, "'queue' is not an array"),
    (
      #"{"stateUpdate":{"_0":{"isPlaying":true,"queue":[7],"connectedPeers":[]}}}"#,
      "'queue' is not an object"
    ),
    (
      #"{"stateUpdate":{"_0":{"isPlaying":true,"queue":[],"connectedPeers":[],"sequence":-1}}}"#,
      "'sequence' is not a whole number from 0"
    ),
  ])
  func whatIsNoMessage(text: String, reason: String) {
    #expect(throws: MeshError.notAMeshMessage(from: nil, reason)) {
      try MeshMessage(parsing: Array(text.utf8).span)
    }
  }
}
