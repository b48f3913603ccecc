package import CommandLine

extension OptionHelp.Completion {
  /// The names of trusted peers; the id of a peer whose name has the form of an address.
  package static var peers: Self { members("peers", "peerpair list", "deviceName") }

  /// The URLs of remotes that are not peers.
  package static var remotes: Self { members("remotes", "peersync remote list", "remote") }

  /// Peers and remotes.
  package static var peersAndRemotes: Self {
    members("targets", "{ peerpair list; peersync remote list; }", "deviceName", "remote")
  }

  /// The files and databases that are bound to the store.
  package static var sources: Self { members("sources", "peersync bind list", "source") }

  /// The ids of the peers and remotes with which the store has exchanged changes.
  package static var stores: Self { members("peers", "synclog peers", "peer") }

  /// The entities of the records in the store.
  package static var entities: Self {
    .printed(
      .init(
        "entities",
        by: #"synclog stat | sed -n 's/.*"entities":\["\([^]]*\)"\].*/\1/p' | tr -d '"' | tr , '\n'"#))
  }

  /// The values of members in the lines that a command prints.
  private static func members(_ name: String, _ command: String, _ members: String...) -> Self {
    let scripts = members.map { member in
      (member == "deviceName" ? idOfAddress : "") + #" -e 's/.*"\#(member)":"\([^"]*\)".*/\1/p'"#
    }.joined()
    return .printed(.init(name, by: "\(command) | sed -n\(scripts)"))
  }

  /// Prints the id for a name such as `laptop:7411`, which `peerlink connect` takes for an address.
  private static let idOfAddress =
    #" -e 's/.*"peerId":"\([^"]*\)".*"deviceName":"[^"]*:[0-9][0-9]*".*/\1/p' -e t"#
}
