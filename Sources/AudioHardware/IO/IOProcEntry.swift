// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Synchronization

/// A function that a program has added to a device, from its creation to its removal.
// Mutable state is atomic, or accessed under the lock of its device's table.
final class IOProcEntry: @unchecked Sendable {
  /// Its number for the program. Never an address of code, except for functions of the older form.
  let id: UInt
  /// The function and its argument. Nil if the program starts the device without a function.
  let function: AudioDeviceIOProc?
  let context: UnsafeMutableRawPointer?
  /// Retained as long as the function may be called.
  let owner: AnyObject?

  /// Whether it is called. A stop from inside a cycle takes effect immediately.
  let isActive = Atomic(false)
  /// The host time before which it is not called. 0 calls it immediately.
  let startTime = Atomic<UInt64>(0)
  /// The number of starts without a matching stop.
  var startCount = 0
  /// The streams that it does not use. It gets all others.
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
