import Pairing
import SyncCore
import Testing

@Suite struct PairingTableTests {
  private var places: [(PairingRole, ProtocolVersion, PairingState)] {
    PairingTable.rows.flatMap { row in
      row.versions.flatMap { version in row.states.map { (row.role, version, $0) } }
    }
  }

  @Test func everyEventHasOneRowEverywhere() {
    for (role, version, state) in places {
      for event in PairingEvent.allCases {
        #expect(PairingTable.row(role, version, state, event) != nil)
        let own = PairingTable.rows.filter {
          $0.role == role && $0.versions.contains(version) && $0.states.contains(state) && $0.event == event
        }
        #expect(own.count < 2, "\(role) \(version) \(state) \(event)")
      }
    }
  }

  @Test func nothingHappensAfterTheEnd() {
    for state in PairingState.allCases where state.isFinal {
      #expect(!places.contains { $0.2 == state })
      for event in PairingEvent.allCases { #expect(PairingTable.row(.provider, .two, state, event) == nil) }
    }
  }

  /// Every state that a row leads to continues, or is final; and every state is reached.
  @Test func everyStateIsReached() {
    for row in PairingTable.rows where !row.next.isFinal {
      #expect(places.contains { $0.0 == row.role && $0.2 == row.next })
    }
    let reached = Set(PairingTable.rows.map(\.next)).union([.ready, .waiting])
    #expect(reached == Set(PairingState.allCases))
  }

  /// Trust is stored only on a right proof, and by each side once.
  @Test func trustNeedsAProof() {
    for row in PairingTable.rows where row.actions.contains(.storeTrust) {
      #expect(row.next == .paired)
      #expect([.rightDone, .rightConfirm, .rightAck].contains(row.event))
    }
    for row in PairingTable.rows where row.next == .paired { #expect(row.actions.contains(.storeTrust)) }
  }

  /// Facts that decide who may continue are stored before the answer that reveals them.
  @Test func nothingIsSentBeforeItIsKept() {
    let kept: [PairingAction] = [.countWrongProof, .bindSession, .endSession, .storeTrust]
    for row in PairingTable.rows {
      let lastKept = row.actions.lastIndex { kept.contains($0) } ?? -1
      let firstSent = row.actions.firstIndex { !kept.contains($0) } ?? row.actions.count
      #expect(lastKept < firstSent)
    }
  }
}
