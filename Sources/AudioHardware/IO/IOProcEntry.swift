// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Synchronization

/// One function that a program has put on a device, from its creation to its end.
// Mutable state is atomic, or accessed under the lock of its device.
final class IOProcEntry: @unchecked Sendable {
  /// Its number for the program: never an address of code, except for the older functions.
  let id: UInt
  /// The function and its argument; nil when the program starts the device without a function.
  let function: AudioDeviceIOProc?
  let context: UnsafeMutableRawPointer?
  /// Lives as long as the function may be called.
  let owner: AnyObject?

  /// Whether it is called. A stop from within a cycle takes effect at once.
  let isActive = Atomic(false)
  /// Host time, or sample time, before which it is not called; 0: at once.
  let startTime = Atomic<UInt64>(0)
  /// Starts without a matching stop.
  var startCount = 0
  /// Unwanted streams; it gets all others.
  var unusedInputs: Set<Int> = []
  var unusedOutputs: Set<Int> = []

  init(
    _ id: UInt, _ function: AudioDeviceIOProc?, _ context: UnsafeMutableRawPointer?,
    owner: AnyObject? = nil
  ) {
    self.id = id
    self.function = function
    self.context = context
    self.owner = owner
  }
}
