import JSONLines
import Links
import Store
public import SyncCore
import SystemIO

/// Runs blocking work on separate threads, not on the threads of tasks.
enum Blocking {
  /// Runs `body` on a separate thread; cancelling the task cancels the object passed to the body.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable (Cancellation) throws(SyncError) -> Value
  ) async throws(SyncError) -> Value {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (done: CheckedContinuation<Result<Value, SyncError>, Never>) in
        let work: @Sendable () -> Void = {
          // A lost connection to a peer must not end the app.
          Worker.blockBrokenPipes()
          done.resume(returning: Result { () throws(SyncError) in try body(cancellation) })
        }
        if !Worker.start(work) {
          done.resume(
            returning: .failure(SyncError(Diagnostic(.systemFailure, "a thread cannot be started"))))
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }
}

extension Instant {
  /// The wall clock of this device, in milliseconds.
  public static var wallTime: Instant { Instant(clock: SystemClock.wallTime()) }
}

extension SyncError {
  /// Converts errors of `body` to errors of this library.
  static func wrapping<Value>(
    store path: String? = nil, _ body: () throws -> Value
  ) throws(SyncError) -> Value {
    do {
      return try Diagnostic.wrapping { try Diagnostic.naming(store: path ?? "", body) }
    } catch let error as Diagnostic {
      throw SyncError(error)
    } catch let error as SystemError {
      throw SyncError(Diagnostic(error))
    } catch {
      throw SyncError(Diagnostic(.bug, "unexpected error: \(error)"))
    }
  }
}
