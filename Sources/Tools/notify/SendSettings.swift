import Chores
import CommandLine
import CommonInputs
import JSONLines
import Push
import SyncCore
import SystemIO

extension NotifyTool {
  struct SendSettings: OutboxConfigurable, PresentConfigurable {
    enum Way: String, OptionChoice {
      case apns, command
      static var valueName: String { "WAY" }
    }

    var outbox = OutboxPlace()
    var now: Instant?
    var way = Way.apns
    var command: [String] = []
    var isDryRun = false
    var timeout = Duration.seconds(60)
    var patience = Duration.seconds(60)
    var backoff = RetryRules()
    // Settings for Apple's push service.
    var key: SecretSource?
    var keyID: ServiceName?
    var teamID: ServiceName?
    var topic: ServiceName?
    var endpoint = Endpoint.production
    var authorities: FilePath?
    var streams = PositiveCount(500)
  }
}

extension NotifyTool.SendSettings {
  /// Locks the outbox, as only one run may send at a time.
  func lock() throws -> FileLock {
    do throws(SystemError) {
      return try FileLock(on: outbox.path, patience: outbox.wait)
    } catch {
      guard error.isHeld else { throw error }
      throw Diagnostic(.storeBusy, "another process is sending", file: outbox.path)
    }
  }

  /// The current time; with `--now`, that time plus the duration of the run so far.
  func clock() -> () -> Instant {
    guard let now else { return { .wallClock } }
    let start = SystemClock.monotonic()
    return { now.advanced(by: SystemClock.monotonic() - start).inMilliseconds }
  }

  func channel() throws -> any PushChannel {
    if way == .command { return ProgramChannel(command, patience: patience) }
    guard let key, let keyID, let teamID, let topic else {
      throw UsageError.conflict("send needs --signing-key, --key-id, --team-id and --topic, or --to command")
    }
    let tokens = try ProviderTokens(
      pem: try key.read().bytes, keyID: keyID.text, teamID: teamID.text, folder: try Places.state(),
      clock: clock())
    guard let tokens else {
      throw Diagnostic(
        .notASigningKey, "the signing key is not a private key on the curve P-256",
        hint: "use the .p8 file as it was downloaded")
    }
    // libcurl would look for the file only with the first push.
    if let file = authorities { _ = try ByteInput.beginning(of: file.path, limit: 1) }
    var channel = CurlChannel.Settings(endpoint: endpoint.text, topic: topic.text)
    channel.authorities = authorities?.path
    channel.streams = min(streams.value, 1_000)
    let (seconds, attoseconds) = patience.components
    channel.patience = Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    return try CurlChannel(channel, tokens: tokens)
  }
}
