import JSONLines
import SyncCore

/// Converts logged callbacks, or the events of other tools, to events.
///
/// Each input line gives any number of event lines, which never contain handles.
package struct MeshEventFilter {
  private let idName: String
  var registry: MeshRegistry
  var members = MeshMembers()
  var numbers = MeshHandles()
  var book = MeshBook()
  // These are reused from line to line, because allocating them costs more than a line.
  private var base64: [UInt8] = []
  private var data: [UInt8] = []

  /// `idName` is the member of the discovery info that has a peer's id; `registry` has the peers of earlier
  /// sessions.
  package init(idName: String = "id", registry: MeshRegistry = MeshRegistry()) {
    self.idName = idName
    self.registry = registry
  }

  /// Whether this session has learned new facts for the next session.
  package var hasNews: Bool { registry.hasNews }

  /// The facts for the next session that were learned since the last call.
  package mutating func takeNews() -> [MeshRegistry.News] { registry.takeNews() }

  /// Appends the events of a line; appended events are valid even if an error follows.
  package mutating func handle(_ line: Span<UInt8>, into output: inout [UInt8]) throws(MeshError) {
    members.clear()
    do throws(JSONError) {
      try JSONScanner.validate(line, into: &members)
    } catch {
      throw .json(error)
    }
    guard line.isObject(line.onlyValue) else { throw .notAnObject }
    try members.requireSingle()
    if members.has(.callback) {
      try handleCallback(line, into: &output)
    } else if members.has(.event) {
      try handleEvent(line, into: &output)
    } else if members.has(.command) {
      output.append(line)
      output.append(10)
    } else {
      throw .missingMember("callback")
    }
  }

  /// The errors that remain when the input ends.
  package mutating func finish() -> [MeshError] { book.finish() }

  // MARK: Callbacks

  private mutating func handleCallback(_ line: Span<UInt8>, into output: inout [UInt8]) throws(MeshError) {
    let at = members.time(in: line)
    let name = try members.content(.callback, in: line)
    guard let callback = MeshCallback.named(line, name) else {
      throw .unknownValue("callback", JSONString.decoded(line, name))
    }
    switch callback {
    case .receivedData: try receiveData(line, into: &output)
    case .changedState: try changeState(line, into: &output)
    case .found:
      let handle = try knownHandle(line, id: discoveredID(line), into: &output)
      book.find(handle, at: at, into: &output)
    case .lost: book.lose(try seenHandle(line, callback), at: at, into: &output)
    case .invited: book.invite(try knownHandle(line, id: nil, into: &output))
    case .browserFailed: try fail("browser", line, into: &output)
    case .advertiserFailed: try fail("advertiser", line, into: &output)
    case .stream, .fileStarted, .fileEnded, .certificate: break
    }
  }

  private func fail(_ role: String, _ line: Span<UInt8>, into output: inout [UInt8]) throws(MeshError) {
    let reason = try members.optionalString(.error, in: line) ?? ""
    MeshEventText.appendFailure(role: role, reason: reason, members.time(in: line), to: &output)
  }

  private mutating func changeState(_ line: Span<UInt8>, into output: inout [UInt8]) throws(MeshError) {
    let at = members.time(in: line)
    switch try MeshConnection(line, members.require(.state, in: line)) {
    case .connecting: book.beginConnecting(try knownHandle(line, id: nil, into: &output))
    case .connected: book.connect(try knownHandle(line, id: nil, into: &output), at: at, into: &output)
    case .notConnected:
      try book.disconnect(try seenHandle(line, .changedState), at: at, into: &output)
    }
  }

  private mutating func receiveData(_ line: Span<UInt8>, into output: inout [UInt8]) throws(MeshError) {
    let handle = try seenHandle(line, .receivedData)
    let raw = try members.content(.data, in: line)
    data.removeAll(keepingCapacity: true)
    do throws(Base64.Failure) {
      try decode(line, raw)
    } catch {
      throw .invalidBase64(error.message)
    }
    // The call uses a second reference, because a span of `data` would borrow the complete filter with its
    // book.
    let text = data
    try book.receive(handle, text.span, at: members.time(in: line), into: &output)
  }

  /// Decodes Base64 in a JSON string, which may escape slashes but rarely does.
  private mutating func decode(_ line: Span<UInt8>, _ raw: Range<Int>) throws(Base64.Failure) {
    do throws(Base64.Failure) {
      return try Base64.decode(line.extracting(raw), into: &data)
    } catch {
      guard ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: line, raw) != nil else { throw error }
    }
    data.removeAll(keepingCapacity: true)
    base64.removeAll(keepingCapacity: true)
    JSONString.appendDecoded(line, raw, to: &base64)
    let plain = base64
    try Base64.decode(plain.span, into: &data)
  }

  // MARK: Handles

  /// The number of a known handle.
  private func seenHandle(_ line: Span<UInt8>, _ callback: MeshCallback) throws(MeshError) -> Int {
    let content = try handleContent(line)
    guard let number = numbers.find(line, content) else { throw .unknownHandle("\(callback.name)") }
    return number
  }

  /// The number of a handle, which is added if it is new.
  private mutating func knownHandle(
    _ line: Span<UInt8>, id: String?, into output: inout [UInt8]
  ) throws(MeshError) -> Int {
    let content = try handleContent(line)
    let name = try members.optionalString(.displayName, in: line)
    let text = JSONString.decoded(line, content)
    if let number = numbers.find(line, content) {
      let old = book.peer(of: number)
      let peer = MeshPeer(id: id ?? old.id, name: name ?? old.name)
      if id != nil {
        registry.note(RegisteredPeer(handle: text, id: peer.id, name: peer.name), isAnnounced: true)
      }
      try book.rename(number, peer, at: members.time(in: line), into: &output)
      return number
    }
    let earlier = registry[text]
    guard let name = name ?? earlier?.name else { throw .missingMember("displayName") }
    let peer = MeshPeer(id: id ?? earlier?.id ?? Self.madeID(text, name), name: name)
    registry.note(RegisteredPeer(handle: text, id: peer.id, name: name), isAnnounced: id != nil)
    _ = numbers.add(line, content)
    return book.addHandle(of: peer)
  }

  /// The range of a handle in the line; a string or a number.
  private func handleContent(_ line: Span<UInt8>) throws(MeshError) -> Range<Int> {
    let raw = try members.require(.handle, in: line)
    if line.isString(raw) { return line.content(raw) }
    guard line.isNumber(raw) else { throw .wrongType("handle", expected: "a string or a number") }
    return raw
  }

  /// The id that the peer itself announces.
  private func discoveredID(_ line: Span<UInt8>) throws(MeshError) -> String? {
    guard let raw = try members.find(.discoveryInfo, in: line) else { return nil }
    guard line.isObject(raw) else { throw .wrongType("discoveryInfo", expected: "an object") }
    var id: String?
    var cursor = ContainerCursor(opening: raw.lowerBound)
    while cursor.hasNext(in: line) {
      let name = cursor.readName(in: line)
      let value = cursor.passValue(in: line)
      guard JSONString.isEqual(line, name, to: idName) else { continue }
      guard id == nil else { throw .duplicateMember(idName) }
      guard line.isString(value) else { throw .wrongType(idName, expected: "a string") }
      id = JSONString.decoded(line, line.content(value))
    }
    return id == "" ? nil : id
  }

  /// The id for a peer that does not announce one: the same for the same handle and name, without revealing
  /// them.
  static func madeID(_ handle: String, _ name: String) -> String {
    names.id(of: JSONValue.array([.string(name), .string(handle)]).text).text
  }

  private static let names = UUIDNames(in: UUIDNames.dns, beginning: Array("mesh.peersync".utf8))
}
