import Devices
import JSONLines
import SyncCore

/// Both sides of a context accept every event, and each action of one is an event for the other.
///
/// The first line may be handlers.
func fuzzContext(_ bytes: [UInt8]) {
  var lines = bytes.split(separator: 10).map { Array($0) }
  let handlers = lines.first.flatMap { try? ContextHandlers(parsing: $0.span) }
  if handlers != nil { lines.removeFirst() }
  guard var phone = try? PhoneSide(rules: ContextRules(), values: []) else {
    fatalError("a phone without values")
  }
  var watch = WatchSide()
  for line in lines {
    if let value = try? RegisteredValue(parsing: line.span) { _ = ContextRules().decide(value) }
    guard let event = try? ContextEvent(parsing: line.span) else { continue }
    var sent = (try? phone.handle(event)) ?? []
    if let action = try? phone.settle() { sent.append(action) }
    for action in sent + watch.handle(event) { pass(on: action, to: &watch, handlers) }
  }
}

private func pass(on action: ContextAction, to watch: inout WatchSide, _ handlers: ContextHandlers?) {
  let text = Array(action.json(handlers).text.utf8)
  guard (try? JSONScanner.validate(text.span)) != nil else { fatalError("an action is JSON") }
  if case .deliver(let changes) = action {
    _ = handlers?.decode(changes.values).errors
    return
  }
  guard let event = try? ContextEvent(parsing: text.span) else {
    fatalError("an action is an event elsewhere")
  }
  _ = watch.handle(event)
}
