/// What a dialogue wants from its store next.
package enum StoreRequest: Equatable, Sendable {
  case checkpoint
  case page(PageRequest)
  case apply(ReceivedPage)
  case acknowledge([UInt8])
  case disownChanges
}

/// What the store says to a ``StoreRequest``.
package enum StoreAnswer: Equatable, Sendable {
  /// How far this side has read, and how far the other side has said that it has.
  case checkpoint([UInt8]?, acked: [UInt8]? = nil)
  case page(PageAnswer)
  case applied(ApplyAnswer)
  case acknowledged
  case disowned
  /// Another process has had the store for too long.
  case busy

  /// Another process has the store, whatever was asked for.
  package var isBusy: Bool {
    switch self {
    case .busy, .page(.busy), .applied(.busy): true
    default: false
    }
  }
}

extension DialogueStore {
  /// Does what a dialogue wants.
  package mutating func answer(
    _ request: StoreRequest, aboutPeer peer: String
  ) throws(Failure) -> StoreAnswer {
    switch request {
    case .checkpoint:
      return .checkpoint(try checkpoint(onPeer: peer), acked: try acknowledged(byPeer: peer))
    case .page(let request): return .page(try page(request, forPeer: peer))
    case .apply(let page): return .applied(try apply(page, fromPeer: peer))
    case .acknowledge(let token):
      try acknowledge(token, byPeer: peer)
      return .acknowledged
    case .disownChanges:
      try disownChanges(fromPeer: peer)
      return .disowned
    }
  }
}
