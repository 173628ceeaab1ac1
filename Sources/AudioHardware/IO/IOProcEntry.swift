// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Synchronization

/// One function that a program has put on a device, from its creation to its end.
// What changes is atomic, or touched under the lock of its device.
final class IOProcEntry: @unchecked Sendable {
  /// What the program names it by: never an address of code, except for the older functions.
  let id: UInt
  /// What is called, and with what; nil where the program starts the device without a function.
  let function: AudioDeviceIOProc?
  let context: UnsafeMutableRawPointer?
  /// Lives as long as the function may be called.
  let owner: AnyObject?

  /// Whether it is called. A stop from within a cycle takes effect at once.
  let isActive = Atomic(false)
  /// Host time, or sample time, before which it is not called; 0: at once.
  let begins = Atomic<UInt64>(0)
  /// Starts that no stop has taken back.
  var startCount = 0
  /// Streams that it does not want; all others it gets.
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
