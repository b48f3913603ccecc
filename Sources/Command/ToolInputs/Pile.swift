import Synchronization

/// Things that threads take one by one.
package final class Pile<Element: Sendable>: Sendable {
  private let elements: Mutex<[Element]>

  package init(_ elements: [Element]) { self.elements = Mutex(elements.reversed()) }

  /// The next in their order; nil when all have been taken.
  package func next() -> Element? { elements.withLock { $0.popLast() } }
}
