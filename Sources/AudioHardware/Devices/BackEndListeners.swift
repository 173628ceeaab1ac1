// SPDX-License-Identifier: Apache-2.0
import AudioDevices
public import AudioSupport
public import CAudioToolbox

/// The functions of the program that are called when a device of any back end changes.
public enum BackEndListeners {
  private struct Listener {
    /// The numbers of its function and of its data.
    let function: UInt
    let userData: UInt
    let entry: ProgramCalls.Entry
    let call: @Sendable () -> Void
    /// The observers of the back ends, which end with the listener.
    let observers: [AnyObject]
  }

  private static let all = Guarded<[Listener]>([])

  /// Calls the functions, which may ask the back ends: the thread of a back end must not wait for
  /// that back end.
  private static let worker = SerialWorker(name: "audio back ends")

  /// [control thread] Has `function` called, on a thread of the library, whenever devices change.
  public static func add(
    _ function: @escaping AUDevicesListenerProc, _ userData: UnsafeMutableRawPointer?
  ) {
    // Aggregates count from the first call on.
    _ = AggregateBackend.registered
    let entry = ProgramCalls.Entry()
    let address = UInt(bitPattern: userData)
    let call: @Sendable () -> Void = {
      ProgramCalls.shared.run(entry) { function(UnsafeMutableRawPointer(bitPattern: address)) }
    }
    let observers = Backends.observe { worker.perform(call) }
    all.withLock {
      $0.append(
        Listener(
          function: number(of: function), userData: address, entry: entry, call: call,
          observers: observers))
    }
  }

  /// [control thread] Removes a function; afterwards no other thread is inside it.
  public static func remove(
    _ function: AUDevicesListenerProc, _ userData: UnsafeMutableRawPointer?
  ) throws(AudioError) {
    let removed = all.withLock { all -> Listener? in
      let index = all.firstIndex {
        $0.function == number(of: function) && $0.userData == UInt(bitPattern: userData)
      }
      return index.map { all.remove(at: $0) }
    }
    guard let removed else {
      throw .invalidArgument.because("the listener was not added with these arguments")
    }
    ProgramCalls.shared.remove([removed.entry])
  }

  /// [any thread but a render thread] Calls all functions: an aggregate device was made or destroyed.
  static func notify() {
    for listener in all.withLock({ $0 }) { worker.perform(listener.call) }
  }

  private static func number(of function: AUDevicesListenerProc) -> UInt {
    unsafeBitCast(function, to: UInt.self)
  }
}
