// SPDX-License-Identifier: Apache-2.0
import AudioDevices
public import AudioSupport
public import CAudioToolbox

/// The functions of the program that are called when a device of any back end changes.
public enum BackEndListeners {
  /// A function of the program, and the number of its data.
  private struct Listener: Sendable {
    let function: AUDevicesListenerProc
    let userData: UInt

    init(_ function: @escaping AUDevicesListenerProc, _ userData: UnsafeMutableRawPointer?) {
      (self.function, self.userData) = (function, UInt(bitPattern: userData))
    }

    func isSame(_ other: Listener) -> Bool {
      userData == other.userData
        && unsafeBitCast(function, to: UInt.self) == unsafeBitCast(other.function, to: UInt.self)
    }
  }

  private static let listeners = ListenerList<Listener>(isReportedTo: false)
  /// Observers of the back ends, while there are listeners.
  private static let observers = Guarded<[AnyObject]>([])
  /// Calls the functions, which may ask the back ends: the thread of a back end must not wait for
  /// that back end.
  private static let worker = SerialWorker(name: "audio back ends")

  /// [control thread] Has `function` called, on a thread of the library, whenever devices change.
  public static func add(
    _ function: @escaping AUDevicesListenerProc, _ userData: UnsafeMutableRawPointer?
  ) {
    // Aggregates count from the first call on.
    _ = AggregateBackend.registered
    listeners.add(Listener(function, userData))
    observers.withLock { if $0.isEmpty { $0 = Backends.observe { notify() } } }
  }

  /// [control thread] Removes a function; afterwards no other thread is inside it.
  public static func remove(
    _ function: AUDevicesListenerProc, _ userData: UnsafeMutableRawPointer?
  ) throws(AudioError) {
    let removed = withoutActuallyEscaping(function) { function in
      let listener = Listener(function, userData)
      return listeners.remove(onlyFirst: true) { $0.isSame(listener) }
    }
    guard removed > 0 else {
      throw .invalidArgument.because("the listener was not added with these arguments")
    }
    observers.withLock { if listeners.isEmpty { $0 = [] } }
  }

  /// [any thread but a render thread] Calls all functions: devices have changed.
  static func notify() {
    worker.perform {
      listeners.call { $0.function(UnsafeMutableRawPointer(bitPattern: $0.userData)) }
    }
  }
}
