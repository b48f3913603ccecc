/// How a ``Statement`` of another database than SQLite does its work.
///
/// Places of values count from 1 and columns from 0. Values stay until others are bound in their place.
package protocol StatementDriver: AnyObject {
  func bind(_ place: Int32, _ number: Int64?)
  func bind(_ place: Int32, _ number: Double)
  func bind(_ place: Int32, text: Span<UInt8>)
  func bind(_ place: Int32, bytes: Span<UInt8>)

  /// Whether there is a row; after the last the statement can be used again.
  func step() throws(StoreError) -> Bool
  /// Runs a statement that has no rows; an error may be thrown by a later one of the same transaction.
  func run() throws(StoreError)
  /// Lets go of the row before the last has been seen.
  func reset()

  func kind(_ column: Int32) -> Statement.Kind
  func integer(_ column: Int32) -> Int64
  func real(_ column: Int32) -> Double
  /// The value where the driver keeps it, until the next step or reset; empty of null.
  @unsafe func buffer(_ column: Int32) -> UnsafeRawBufferPointer
}
