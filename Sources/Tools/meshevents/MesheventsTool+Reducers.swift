import CommandLine
import Devices
import JSONLines
import SyncCore
import SystemIO

extension MesheventsTool {
  static func runHost(_ settings: ReducerSettings, on console: Console) throws -> ExitStatus {
    let id = settings.ownID
    var host = MeshHost(own: MeshPeer(id: id, name: settings.selfName ?? id))
    return try run(settings, on: console) { event, output in
      do throws(MeshHostError) {
        if let message = try host.handle(event) { output.append(line: message.json) }
      } catch {
        throw MeshError(error)
      }
    }
  }

  static func runGuest(_ settings: ReducerSettings, on console: Console) throws -> ExitStatus {
    guard let host = settings.host else { throw UsageError.conflict("'guest' needs --host") }
    var guest = MeshGuest(ownID: settings.ownID, hostID: host.text)
    let view = try ViewFile(settings.view)
    return try run(settings, on: console) { event, output in
      let step: MeshGuest.Step
      do throws(MeshGuestError) {
        step = try guest.handle(event)
      } catch {
        throw MeshError(error)
      }
      if !view.isOutput { for message in step.messages { output.append(line: message.json) } }
      if let seen = step.view { try view.show(seen, &output) }
      if !step.dropped.isEmpty { throw MeshError.droppedVotes(step.dropped, of: nil) }
    }
  }

  private static func run(
    _ settings: ReducerSettings, on console: Console,
    _ take: (MeshEvent, inout [UInt8]) throws -> Void
  ) throws -> ExitStatus {
    let view = settings.view.flatMap { $0.path == "-" ? nil : $0 }
    return try BadLines.collecting(
      settings, inputs: settings.files, outputs: (view, nil), on: console
    ) { badLines in
      var output = ByteOutput.standardOutput
      try InputLines.forEach(ofAll: settings.files, flushing: &output) { file, line, number, output in
        do {
          try take(try MeshEvent(parsing: line), &output.buffer)
        } catch let error as MeshError {
          try output.flush()
          try badLines.report(error, in: line, file, number)
        }
        try output.flushIfFull()
      }
      return .done
    }
  }
}

extension MesheventsTool.ReducerSettings {
  fileprivate var ownID: String { selfID?.text ?? Environment.value("PEERLINK_SELF_ID") ?? "self" }
}

/// The file that a guest's view is written to.
private final class ViewFile {
  private let file: Descriptor
  /// Whether the view replaces the messages on standard output.
  let isOutput: Bool

  init(_ path: FilePath?) throws(SystemError) {
    isOutput = path?.path == "-"
    file = try Descriptor.appending(to: isOutput ? "/dev/null" : path?.path ?? "/dev/null")
  }

  func show(_ view: MeshGuest.View, _ output: inout [UInt8]) throws(SystemError) {
    if isOutput {
      output.append(line: view.json)
    } else {
      try file.write(view.json.text + "\n")
    }
  }
}
