import SyncCore

/// Either side of version 1 may ask at any time.
extension DialogueScenarios {
  /// An acceptor of version 1 that has sent everything.
  private static func given1(asksBack: Bool = false) -> S {
    make(S(.acceptor, version: .one, asksBack: asksBack)) {
      $0.handle(.start)
      $0.hear(S.request())
      $0.handle(S.page(""))
    }
  }

  /// A connector of version 1 that has read everything.
  static var lingering: S {
    make(asked(version: .one)) {
      $0.hear(S.delta)
      $0.handle(applied)
    }
  }

  private static let recorded = DialogueEvent.store(.acknowledged)

  /// An acceptor whose store changed between two answers to one request; the other side acknowledges both.
  static var answeredTwice: S {
    make(given1()) {
      $0.hear(S.request())
      $0.handle(S.page("", token: [8]))
      $0.hear(S.ack([7]))
      $0.hear(S.ack([8]))
      $0.handle(recorded)
      $0.hear(S.ack([8]))
    }
  }

  /// The same without a change, and the acceptor has asked too.
  static var answeredTwiceAndAsking: S {
    make(given1(asksBack: true)) {
      $0.hear(S.request())
      $0.handle(S.page(""))
      $0.hear(S.ack([7]))
      $0.handle(recorded)
      $0.handle(.store(.checkpoint([9])))
      $0.hear(S.ack([7]))
    }
  }

  static var version1: [S] {
    [
      make(lingering) {
        $0.hear(S.request())
        $0.handle(S.page(""))
        $0.hear(S.ack([7]))
        $0.handle(recorded)
      },
      make(lingering) {
        $0.hear(S.request())
        $0.handle(S.page(""))
        $0.hear(S.ack())
      },
      make(lingering) { $0.handle(.timedOut) },
      make(lingering) { $0.handle(.closed) },
      // The other side asks before it answers, and receives the answer before its own is read.
      make(asked(version: .one)) {
        $0.hear(S.request())
        $0.handle(S.page(""))
        $0.hear(S.ack([7]))
        $0.handle(recorded)
        $0.hear(S.delta)
        $0.handle(applied)
      },
      // Its response comes before its ack.
      make(asked(version: .one)) {
        $0.hear(S.request())
        $0.handle(S.page(""))
        $0.hear(S.delta)
        $0.handle(applied)
        $0.hear(S.ack([7]))
        $0.handle(recorded)
      },
      make(asked(version: .one)) {
        $0.hear(S.request())
        $0.handle(S.page(""))
        $0.hear(S.ack())
      },
      make(asked(.pull, version: .one)) { $0.hear(S.request()) },
      make(given1()) {
        $0.hear(S.request())
        $0.handle(S.page(""))
        $0.hear(S.ack([7]))
        $0.handle(recorded)
        $0.handle(.timedOut)
      },
      make(given1(asksBack: true)) {
        $0.hear(S.ack([7]))
        $0.handle(recorded)
        $0.handle(.store(.checkpoint([9])))
        $0.hear(S.delta)
        $0.handle(applied)
      },
      make(given1(asksBack: true)) {
        $0.hear(S.ack())
        $0.handle(.store(.checkpoint([9])))
        $0.handle(.timedOut)
      },
      make(given1(asksBack: true)) {
        $0.hear(S.ack([7]))
        $0.handle(recorded)
        $0.handle(.store(.checkpoint([9])))
        $0.handle(.closed)
      },
      answeredTwice, answeredTwiceAndAsking,
    ]
  }
}
