import JSONLines
package import SyncCore

/// A scenario of a simulation: each step runs at its time, even if earlier steps failed.
///
/// Each step is independent and has its own random seed, so a story stays valid if steps are removed.
package struct Story: Equatable, Sendable {
  package var seed: UInt64
  package var devices: Int
  package var links: StoryLinks
  /// The options of each device's store; nil for a store without rules.
  ///
  /// An empty list means ``StoryRules()`` for every device.
  package var rules: [StoryRules?] = []
  package var steps: [StoryStep]
  /// The failure, if the story was recorded for one.
  package var failure: SimulationFailure?

  package init(seed: UInt64, devices: Int, links: StoryLinks, steps: [StoryStep] = []) {
    (self.seed, self.devices, self.links, self.steps) = (seed, devices, links, steps)
  }

  package func rules(of device: Int) -> StoryRules? { rules.isEmpty ? StoryRules() : rules[device] }

  /// The maximum number of devices.
  package static let deviceLimit = 64

  /// The instant from which all times of a story are counted.
  package static let beginning = Instant(seconds: 1_767_225_600)!

  /// `milliseconds` after the beginning, at most the latest instant.
  static func instant(_ milliseconds: Int) -> Instant {
    beginning.advanced(by: .milliseconds(milliseconds))
  }
}

/// The topology: which devices connect to each other.
package enum StoryLinks: String, CaseIterable, Sendable {
  /// Each device connects only to the next one.
  case chain
  /// All devices connect only to the first one.
  case star
  case full
  /// All devices connect only to the first one, which is a server.
  ///
  /// A device runs both sides of the dialogue, and sends requests to the server one by one.
  case hub

  /// The topologies that the generator chooses from.
  package static let drawn: [StoryLinks] = [.chain, .star, .full]

  /// The connected pairs; the first device of a pair has the lower number.
  package func pairs(_ devices: Int) -> [(Int, Int)] {
    (0..<devices).flatMap { first in
      (first + 1..<max(first + 1, devices)).compactMap { second in
        switch self {
        case .chain: second == first + 1 ? (first, second) : nil
        case .star, .hub: first == 0 ? (first, second) : nil
        case .full: (first, second)
        }
      }
    }
  }
}

/// An event at its time.
package struct StoryStep: Equatable, Sendable {
  /// The time of the step, in milliseconds from the beginning.
  package var at: Int
  package var action: StoryAction

  package init(at: Int, _ action: StoryAction) { (self.at, self.action) = (at, action) }
}

/// A possible step; devices are counted from 0.
package enum StoryAction: Equatable, Sendable {
  /// The device joins now; without this step, it is present from the beginning.
  case join(device: Int)
  /// Puts a line, without its LF; `entity` is for a record that does not name its own.
  case put(device: Int, entity: String?, line: [UInt8])
  case record(StoryRecording)
  case session(SessionPlan)
  case backup(device: Int)
  /// Restores the backup that is `age` backups before the last one, if it exists.
  case restore(device: Int, age: Int)
  case compact(device: Int)
  /// The store merges by another profile from now on.
  case rules(device: Int, profile: StoryRules.Profile)
  /// The device drops records of an entity before this time in milliseconds, and rejects such records
  /// afterwards.
  case prune(device: Int, entity: String, before: Int)
  /// From now on the clock is this many milliseconds ahead of the true time.
  case clock(device: Int, ahead: Int)
  /// All sessions of the device are lost, and the device is off for this many milliseconds.
  case crash(device: Int, down: Int)
  /// For this many milliseconds, packets do not pass between these devices and the others.
  case partition(devices: [Int], lasting: Int)
}

/// The device's app changes some records and records the changes.
package struct StoryRecording: Equatable, Sendable {
  package var device: Int
  /// The entity of all records in the snapshot; nil for change lines of all entities.
  package var entity: String?
  /// The app reads the store first.
  package var refreshing: Bool
  package var edits: [StoryEdit]

  package init(device: Int, entity: String? = nil, refreshing: Bool, edits: [StoryEdit]) {
    (self.device, self.entity, self.refreshing, self.edits) = (device, entity, refreshing, edits)
  }
}

/// An edit that an app makes between two snapshots.
package enum StoryEdit: Equatable, Sendable {
  case set(line: [UInt8])
  /// Removes the record with this canonical key.
  case remove(key: [UInt8])
}

/// A session, and its faults.
package struct SessionPlan: Equatable, Sendable {
  package var from: Int
  package var to: Int
  package var direction = DialogueSettings.Direction.both
  /// The size of a page in bytes on both sides.
  package var page = 4 << 20
  package var network = NetworkPlan()
  /// The number of messages after which the connection is lost; nil to keep the connection.
  package var cut: Int?
  package var crash: CrashPlan?
  /// How long the connector waits for changes before it is stopped, in milliseconds; nil if it does not wait.
  package var following: Int?

  package init(from: Int, to: Int) { (self.from, self.to) = (from, to) }
}

/// The faults of a network for the packets of a connection.
package struct NetworkPlan: Equatable, Sendable {
  package var seed: UInt64 = 0
  /// The longest delay of a packet, in milliseconds.
  package var delay = 20
  /// The percentage of packets that are lost and sent again.
  package var loss = 0
  /// The percentage of packets that arrive twice.
  package var repeats = 0

  package init() {}
}

/// A crash of one side at one of its transactions.
package struct CrashPlan: Equatable, Sendable {
  package enum Place: String, CaseIterable, Sendable { case before, inside, after }

  /// Whether the connector crashes, not the acceptor.
  package var isConnector: Bool
  /// The number of the transaction, counted from 1.
  package var transaction: Int
  package var place: Place
  /// How long the device is down, in milliseconds.
  package var down: Int

  package init(isConnector: Bool, transaction: Int, place: Place, down: Int) {
    (self.isConnector, self.transaction, self.place, self.down) = (isConnector, transaction, place, down)
  }
}
