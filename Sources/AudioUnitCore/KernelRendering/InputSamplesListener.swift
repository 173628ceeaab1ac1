// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import SignalProcessing
import Synchronization

/// The function and context that a host sets with `kAudioUnitProperty_InputSamplesInOutput`;
/// without a function there are no notifications.
///
/// Laid out like `AUInputSamplesInOutputCallbackStruct`, whose members may not be null in Swift.
struct InputSamplesListener: BitwiseCopyable {
  var function: UnsafeRawPointer?
  var context: UnsafeMutableRawPointer?
}

/// The listener of a unit, which may be replaced while the unit renders.
///
/// Each listener is in memory that does not change; a render reads its address once. Replaced
/// listeners are freed while nothing renders.
final class InputSamplesListeners {
  private let current: UnsafeMutablePointer<Atomic<UInt>>
  private var allocated: [UnsafeMutablePointer<InputSamplesListener>] = []

  /// [control thread] Starts without a listener.
  init() { current = .cell(Atomic(0)) }

  deinit {
    for listener in allocated { listener.endCell() }
    current.endCell()
  }

  /// The variable from which render threads read the listener's address; valid as long as this
  /// object lives.
  var currentAddress: UnsafePointer<Atomic<UInt>> { UnsafePointer(current) }

  /// [control thread] The current listener.
  var listener: InputSamplesListener { allocated.last?.pointee ?? InputSamplesListener() }

  /// [control thread] Sets a new listener.
  func set(_ listener: InputSamplesListener) {
    let memory = UnsafeMutablePointer.cell(listener)
    allocated.append(memory)
    current.pointee.store(UInt(bitPattern: memory), ordering: .releasing)
  }

  /// [control thread, while nothing renders] Frees replaced listeners.
  func freeReplaced() {
    for listener in allocated.dropLast() { listener.endCell() }
    allocated.removeFirst(max(allocated.count - 1, 0))
  }
}
