import Foundation
import Testing

/// The units for systemd in docs.
@Suite struct UnitFileTests {
  static let units = [".service", ".timer"].flatMap { Repository.files(in: "docs/units", suffix: $0) }

  /// The only valid complaint here is that the tools are not installed.
  @Test(.needs("systemd-analyze"), arguments: units)
  func systemdHasNoComplaint(path: String) async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    let name = try #require(path.split(separator: "/").last)
    // A timer is checked beside the service that it starts.
    for path in Self.units {
      let unit = try Repository.text(of: path).replacing(/\/usr\/local\/bin\/[a-z]+/, with: "/bin/true")
      try sandbox.write(unit, to: String(path.split(separator: "/").last ?? ""))
    }
    let complaints = try await sandbox.run("systemd-analyze verify --man=no ./\(name) 2>&1").rendering
    #expect(complaints == [])
  }

  @Test(arguments: Repository.files(in: "docs/units", suffix: ".plist"))
  func agentsForLaunchdRunPeersync(path: String) throws {
    let list = try unsafe PropertyListSerialization.propertyList(
      from: Data(Repository.text(of: path).utf8), options: [], format: nil)
    let agent = try #require(list as? [String: Any])
    let words = try #require(agent["ProgramArguments"] as? [String])
    #expect(words.first == "/usr/local/bin/peersync" && words.last == "--quiet")
    #expect(path.hasSuffix("/\(agent["Label"] as? String ?? "").plist"))
  }

  /// What the unit runs, once round for each `sh chain`, with a program in place of Apple's service.
  @Test(.needs("jq"), .needs("curl"))
  func pushesGoOutOnceAndDevicesFollow() async throws {
    let unit = try Repository.text(of: "docs/units/syncserve-pushes.service")
    let start = try #require(unit.range(of: "ExecStart=/bin/sh -c '"))
    let end = try #require(unit[start.upperBound...].range(of: "'\n"))
    let script = unit[start.upperBound..<end.lowerBound].replacing("\\\n", with: "\n")
      .replacing("/var/lib/syncserve/", with: "server/").replacing("sleep 10", with: "exit")
    let key = try #require(script.range(of: "--signing-key"))
    let topic = try #require(script[key.upperBound...].range(of: "${TOPIC} |"))
    let chain = script.replacingCharacters(
      in: key.lowerBound..<topic.upperBound,
      with: "--to command -- sh -c 'echo \"$NOTIFY_RECIPIENT\" >>told' |")
    let sandbox = try Sandbox(tools: Tools.folder)
    try sandbox.write(chain, to: "chain")
    try sandbox.write(Self.server, to: "server.sh")
    let outcome = try await sandbox.run("sh server.sh")
    #expect(
      outcome.rendering == [
        "2 told", "2 told", "00a0 00b0", "0 removed", "00a0 00b0", "00a0", "00b0",
      ])
  }

  private static let server = #"""
    mkdir -m 700 server home bin; export PEERSYNC_HOME=$PWD/home; umask 077
    syncserve household add home --store server/ >none
    syncserve key create --member 6F1B2C3D-0000-4000-8000-00000000000A --store server/ >ann.key
    syncserve run --store server/ --listen 127.0.0.1:8477 --quiet >access & server=$!
    until curl -fs http://127.0.0.1:8477/health >up; do sleep 0.05; done
    AUTH="Authorization: Bearer $(cat ann.key)"; URL=http://127.0.0.1:8477
    for id in A B; do
      echo "{\"id\":\"6F1B2C3D-0000-4000-8000-00000000000$id\",\"updatedAt\":\"2026-01-01T00:00:00Z\"}"
    done | jq -s --arg start "$(date -u -d '+30 days' +%FT%TZ)" '{members: ., templates: [{id: "6F1B2C3D-0000-4000-8000-0000000000AA", title: "Dishes", cadenceUnitRaw: "weeks", cadenceValue: 1, startDate: $start, updatedAt: "2026-01-01T00:00:00Z"}]}' >push
    curl -s -H "$AUTH" --data-binary @push $URL/sync >pulled
    for id in A B; do
      curl -s -H "$AUTH" --data "{\"memberID\":\"6F1B2C3D-0000-4000-8000-00000000000$id\",\"token\":\"00${id}0\"}" $URL/devices >none
    done
    notify=$(command -v notify); cat >bin/notify <<END; chmod +x bin/notify; PATH=$PWD/bin:$PATH
    #!/bin/sh
    [ "\$2" != remove ] || exec sh -c 'tee -a gone | $notify devices remove --tokens -'
    exec $notify "\$@"
    END
    sh chain; echo "$(grep -c . told) told"
    sh chain; echo "$(grep -c . told) told"
    jq -r .token devices | sort | xargs
    : >gone; curl -s -H "$AUTH" --data '{"memberID":"6F1B2C3D-0000-4000-8000-00000000000A","token":"00a0"}' $URL/devices >none
    sh chain; echo "$(grep -c . gone) removed"
    : >server/aaa.db; mv devices known; sort -r known >devices; sh chain 2>errors; rm server/aaa.db; jq -r .token devices | sort -u | xargs
    curl -s -X DELETE -H "$AUTH" --data '{"token":"00b0"}' $URL/devices
    sh chain; jq -r .token devices | sort | xargs
    jq -r .token gone | sort -u
    notify devices list | jq -s length >known; [ "$(cat known)" = 1 ] || cat known
    kill $server; wait $server
    """#
}
