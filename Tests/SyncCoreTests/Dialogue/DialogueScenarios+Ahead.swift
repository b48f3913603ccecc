import SyncCore

/// Pages that are sent before the first is acknowledged.
extension DialogueScenarios {
  /// An acceptor that has sent a page, and reads the next.
  static func ahead(_ window: Int) -> S {
    make(S(.acceptor, window: 4)) {
      $0.handle(.start)
      $0.hear(S.request(window: window))
      $0.handle(S.page(hasMore: true))
    }
  }

  static var ahead: [S] {
    [
      make(ahead(3)) {
        $0.handle(S.page(hasMore: true, token: [8]))
        $0.handle(S.page(hasMore: true, token: [9]))
        $0.hear(S.ack([7]), replyTo: S.id(3))
        $0.handle(.store(.acknowledged))
        $0.handle(S.page(hasMore: true, token: [10]))
        $0.hear(S.ack(), replyTo: S.id(4))
        $0.handle(S.page(token: [11]))
        $0.hear(S.ack([9]), replyTo: S.id(5))
        $0.handle(.store(.acknowledged))
        $0.hear(S.ack(), replyTo: S.id(8))
        $0.hear(S.ack([11]), replyTo: S.id(10))
        $0.handle(.store(.acknowledged))
      },
      make(ahead(2)) {
        $0.handle(.store(.page(.tokenExpired)))
        $0.hear(S.ack([7]))
        $0.handle(.store(.acknowledged))
        $0.handle(.store(.page(.tokenExpired)))
      },
      make(ahead(2)) {
        $0.handle(.store(.busy))
        $0.hear(S.ack())
        $0.handle(S.page(token: [8]))
      },
      following(S.response([1], hasMore: true, continues: true)),
      following(S.response([1], hasMore: true)),
    ]
  }

  /// A requester that allows pages to be sent ahead, and gets this one.
  static func following(_ first: Message.Body) -> S {
    make(S(.connector(.both), window: 4)) {
      $0.handle(.start)
      $0.handle(.store(.checkpoint([9])))
      let request = $0.steps.last?.message?.id
      $0.hear(first)
      $0.handle(applied)
      guard $0.dialogue.state.name == "awaitsResponse" else { return }
      $0.hear(S.response([2]), replyTo: request)
      $0.handle(applied)
    }
  }
}
