import Devices
import JSONLines
import SyncCore

/// Host and guest can read the events of any log of callbacks.
func fuzzMesh(_ bytes: [UInt8]) {
  var (filter, output) = (MeshEventFilter(), [UInt8]())
  var (host, guest) = (MeshHost(own: MeshPeer(id: "h", name: "Host")), MeshGuest(ownID: "g", hostID: "1"))
  for line in bytes.split(separator: 10).map({ Array($0) }) {
    let start = output.count
    try? filter.handle(line.span, into: &output)
    for event in output[start...].split(separator: 10) + [line[...]] { handle(Array(event), &host, &guest) }
    if let checked = try? MeshMessage.checked(line.span) {
      guard let message = try? MeshMessage(parsing: checked.span) else {
        fatalError("a message that was checked")
      }
      let text = Array(message.json.text.utf8)
      require((try? MeshMessage(parsing: text.span)) == message, "a message reads back")
    }
    if let peer = try? RegisteredPeer(parsing: line.span) {
      require(
        (try? RegisteredPeer(parsing: Array(peer.line.utf8).dropLastByte.span)) == peer, "a peer reads back")
    }
  }
  _ = filter.finish()
  _ = filter.takeNews()
}

private func handle(_ line: [UInt8], _ host: inout MeshHost, _ guest: inout MeshGuest) {
  guard let event = try? MeshEvent(parsing: line.span) else { return }
  if let message = try? host.handle(event) { _ = message.json.text }
  if let step = try? guest.handle(event) {
    for message in step.messages { _ = message.json.text }
  }
}

extension [UInt8] {
  /// Without the line feed at the end.
  fileprivate var dropLastByte: [UInt8] { Array(dropLast()) }
}
