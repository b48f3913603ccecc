import JSONLines
import SyncCore

/// Scenarios that together walk every row of the table.
enum DialogueScenarios {
  typealias S = DialogueScenario

  static var all: [S] { asking + recovering + answering + ahead + waiting + version1 + turns + refusing }

  static func make(_ scenario: S, _ play: (inout S) -> Void) -> S {
    var scenario = scenario
    play(&scenario)
    return scenario
  }

  /// A connector that has sent its first request.
  static func asked(
    _ direction: DialogueSettings.Direction = .both, version: ProtocolVersion = .two, waitSeconds: Int = 0,
    since: [UInt8]? = [9]
  ) -> S {
    make(S(.connector(direction), version: version, waitSeconds: waitSeconds)) {
      $0.handle(.start)
      $0.handle(.store(.checkpoint(since)))
    }
  }

  /// An acceptor that waits for a request.
  private static func listening(_ version: ProtocolVersion = .two) -> S {
    make(S(.acceptor, version: version)) { $0.handle(.start) }
  }

  /// An acceptor that has sent a page.
  private static func given(hasMore: Bool = false) -> S {
    make(listening()) {
      $0.hear(S.request())
      $0.handle(S.page(hasMore: hasMore))
    }
  }

  static let applied = DialogueEvent.store(.applied(.applied(quarantined: 0)))

  private static var asking: [S] {
    [
      make(asked()) {
        $0.hear(S.response([1], hasMore: true))
        $0.handle(applied)
        $0.handle(.store(.checkpoint([1])))
        $0.hear(S.response([2]))
        $0.handle(applied)
      },
      make(asked(.pull, since: nil)) {
        $0.hear(S.response())
        $0.handle(applied)
      },
      make(asked(.pull, waitSeconds: 60)) {
        $0.hear(S.response())
        $0.handle(applied)
        $0.handle(.store(.checkpoint([1])))
      },
      make(asked()) {
        $0.hear(S.response())
        $0.handle(.store(.applied(.refused)))
      },
      make(asked()) {
        $0.hear(S.response())
        $0.handle(.store(.applied(.quarantineFull)))
      },
      make(asked()) {
        $0.hear(S.response())
        $0.handle(.store(.applied(.busy)))
      },
      make(S(.connector(.both))) {
        $0.handle(.start)
        $0.handle(.store(.busy))
      },
      make(asked(.pull, version: .one)) {
        $0.hear(S.delta)
        $0.handle(applied)
      },
    ]
  }

  private static var recovering: [S] {
    [
      make(asked()) {
        $0.hear(S.error(.tokenForeign))
        $0.handle(.store(.disowned))
        $0.hear(S.ack(yourTurn: true))
      },
      make(asked()) {
        $0.hear(S.error(.tokenForeign))
        $0.handle(.store(.disowned))
        $0.hear(S.request())
        $0.handle(S.page())
        $0.hear(S.ack([7], yourTurn: true))
        $0.handle(.store(.acknowledged))
        $0.handle(.store(.checkpoint([9])))
      },
      make(asked(.pull)) {
        $0.hear(S.error(.tokenForeign))
        $0.handle(.store(.disowned))
        $0.handle(.store(.checkpoint([9])))
        $0.hear(S.response([1], hasMore: true))
        $0.handle(applied)
      },
      make(asked()) {
        $0.hear(S.error(.tokenExpired))
        $0.handle(.store(.checkpoint([9])))
        $0.hear(S.response([1], hasMore: true, resync: ResyncFacts()))
        $0.handle(applied)
        $0.handle(.store(.checkpoint([9])))
        $0.hear(S.error(.tokenExpired))
      },
      make(asked()) { $0.hear(S.error(.busy)) },
    ]
  }

  private static var answering: [S] {
    [
      make(given()) {
        $0.hear(S.ack([7]))
        $0.handle(.store(.acknowledged))
        $0.handle(.closed)
      },
      make(given(hasMore: true)) {
        $0.hear(S.ack())
        $0.handle(.closed)
      },
      make(listening()) { $0.hear(S.request(rules: String(repeating: "b", count: 64))) },
      make(listening()) { $0.hear(S.request(entities: #"{"Task":[["uuid"]]}"#)) },
      make(listening()) { $0.hear(S.request(entities: #"{"":[["id"]]}"#)) },
      make(listening()) {
        $0.hear(S.request(since: [1]))
        $0.handle(.store(.page(.tokenExpired)))
      },
      make(listening()) {
        $0.hear(S.request(since: [1]))
        $0.handle(.store(.page(.tokenForeign)))
        $0.hear(S.ack(yourTurn: true))
        $0.handle(.store(.checkpoint([9])))
        $0.hear(S.error(.tokenForeign))
        $0.handle(.store(.disowned))
      },
      make(listening(.one)) {
        $0.hear(S.request(since: [1]))
        $0.handle(.store(.page(.tokenForeign)))
        $0.handle(S.page())
      },
      make(listening()) {
        $0.hear(S.request())
        $0.handle(.store(.page(.busy)))
      },
    ]
  }

  private static func waits() -> S {
    make(listening()) {
      $0.hear(S.request(since: [1], waitSeconds: 60))
      $0.handle(S.page(""))
    }
  }

  private static var waiting: [S] {
    [
      make(waits()) {
        $0.handle(.changed)
        $0.handle(S.page())
      },
      make(waits()) { $0.handle(.timedOut) },
      make(waits()) {
        $0.hear(S.ack(yourTurn: true))
        $0.hear(S.ack([7], yourTurn: true))
        $0.handle(.store(.acknowledged))
      },
      make(waits()) { $0.handle(.closed) },
      make(waits()) {
        $0.handle(.changed)
        $0.handle(S.page())
        $0.handle(.message($0.message(S.ack(yourTurn: true))))
        $0.hear(S.ack([7], yourTurn: true))
        $0.handle(.store(.acknowledged))
      },
      make(asked(.both, waitSeconds: 60)) {
        $0.handle(.changed)
        $0.hear(S.response())
        $0.handle(applied)
        $0.hear(S.request())
        $0.handle(S.page())
        $0.hear(S.ack([7], yourTurn: true))
        $0.handle(.store(.acknowledged))
        $0.handle(.store(.checkpoint([1])))
        let request = $0.steps.last?.message?.id
        $0.handle(.changed)
        $0.hear(S.response(), replyTo: request)
        $0.handle(applied)
      },
    ]
  }

  private static func handedOver(_ direction: DialogueSettings.Direction) -> S {
    make(S(.connector(direction))) { scenario in
      scenario.handle(.start)
      guard direction != .push else { return }
      scenario.handle(.store(.checkpoint([9])))
      scenario.hear(S.response())
      scenario.handle(applied)
    }
  }

  private static var turns: [S] {
    [
      make(handedOver(.both)) {
        $0.hear(S.request())
        $0.handle(S.page())
        $0.hear(S.ack([7], yourTurn: true))
        $0.handle(.store(.acknowledged))
      },
      make(handedOver(.both)) { $0.hear(S.ack(yourTurn: true)) },
      make(handedOver(.push)) { $0.hear(S.ack(yourTurn: true)) },
      make(listening()) { $0.hear(S.ack(yourTurn: true)) },
    ]
  }

  /// The other side answers at once, although it is asked to wait.
  static func impatient(_ direction: DialogueSettings.Direction) -> S {
    make(asked(direction, waitSeconds: 60)) { scenario in
      for _ in 0..<3 {
        scenario.hear(S.response([9], ""))
        scenario.handle(.store(.applied(.applied(quarantined: 0, isIdle: true))))
        if direction == .both {
          scenario.hear(S.request())
          scenario.handle(S.page(""))
          scenario.hear(S.ack([7], yourTurn: true))
          scenario.handle(.store(.acknowledged))
        }
        scenario.handle(.store(.checkpoint([9])))
        guard scenario.dialogue.state == .rests else { continue }
        scenario.handle(.timedOut)
        scenario.handle(.store(.checkpoint([9])))
      }
    }
  }

  /// The pages of the other side have no end.
  static var circling: S {
    make(asked()) { scenario in
      for round in 0..<30 where scenario.dialogue.state != .ended {
        scenario.hear(S.response([UInt8(round % 5)], hasMore: true))
        if scenario.dialogue.state == .ended { break }
        scenario.handle(applied)
        scenario.handle(.store(.checkpoint([UInt8(round % 5)])))
      }
    }
  }

  /// The other side reads the same page again and again.
  static var beginningAgain: S {
    make(handedOver(.both)) { scenario in
      for _ in 0..<9 where scenario.dialogue.state != .ended {
        scenario.hear(S.request())
        if scenario.dialogue.state == .ended { break }
        scenario.handle(S.page())
        scenario.hear(S.ack([7]))
        scenario.handle(.store(.acknowledged))
      }
    }
  }

  /// The other side never uses its turn.
  static var givingBack: S { idling(handedOver(.both)) }

  /// The other side connects only to pass the turn on.
  static var givingAgain: S { idling(listening()) }

  /// The other side passes every turn on.
  private static func idling(_ start: S) -> S {
    make(start) { scenario in
      for _ in 0..<9 where scenario.dialogue.state != .ended {
        scenario.hear(S.ack(yourTurn: true))
        if scenario.dialogue.state == .ended { break }
        scenario.handle(.store(.checkpoint([9])))
        scenario.hear(S.response())
        scenario.handle(applied)
      }
    }
  }

  /// A following side passes the turn on whenever it has news.
  static var following: S {
    make(listening()) { scenario in
      for _ in 0..<9 {
        scenario.hear(S.request(since: [1], waitSeconds: 60))
        scenario.handle(S.page(""))
        scenario.hear(S.ack(yourTurn: true))
        scenario.hear(S.ack([7], yourTurn: true))
        scenario.handle(.store(.acknowledged))
        scenario.handle(.store(.checkpoint([9])))
        scenario.hear(S.response())
        scenario.handle(applied)
      }
    }
  }

  private static var refusing: [S] {
    [
      make(listening()) { scenario in
        var request = SyncRequest(peerId: "somebody", deviceName: "x", rulesDigest: S.rules)
        request.waitSeconds = 0
        scenario.hear(.syncRequest(request))
      },
      make(listening()) { $0.handle(.message($0.message(S.request(), version: .one))) },
      make(listening()) { $0.handle(.unreadable(.incompatibleProtocolVersion("3"))) },
      make(listening()) { $0.handle(.unreadable(.notAnObject)) },
      make(listening()) { $0.handle(.unreadable(.tooLarge(limit: 100))) },
      make(listening()) { $0.hear(S.error(.rateLimited)) },
      make(listening()) { $0.hear(S.response()) },
      make(listening(.one)) { $0.hear(S.ack()) },
      make(given()) { $0.hear(S.ack([8])) },
      make(asked()) { $0.hear(S.response(), replyTo: S.id(77)) },
      make(asked()) { $0.hear(S.response([9], hasMore: true)) },
      make(asked()) { $0.hear(S.response([1], "", hasMore: true)) },
      circling, beginningAgain, givingBack, givingAgain, following, impatient(.both), impatient(.pull),
      make(listening()) { $0.handle(.timedOut) },
      make(asked()) { $0.handle(.closed) },
      make(listening()) { $0.handle(.stop) },
      make(listening()) { $0.handle(.changed) },
    ]
  }
}
