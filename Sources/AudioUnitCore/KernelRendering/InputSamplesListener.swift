// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import SignalProcessing
import Synchronization

/// The function and context that a host sets with `kAudioUnitProperty_InputSamplesInOutput`.
/// Without a function nobody is notified.
///
/// Laid out like `AUInputSamplesInOutputCallbackStruct`, whose members may not be null in Swift.
struct InputSamplesListener: BitwiseCopyable {
  var function: UnsafeRawPointer?
  var context: UnsafeMutableRawPointer?
}

/// The listener of a unit, which may be replaced while the unit renders.
///
/// Each listener is in memory that does not change: the render thread reads its address once.
/// Replaced listeners are freed when nothing renders.
final class InputSamplesListeners {
  private let current: UnsafeMutablePointer<Atomic<UInt>>
  private var made: [UnsafeMutablePointer<InputSamplesListener>] = []

  /// [control thread] Starts without a listener.
  init() { current = .cell(Atomic(0)) }

  deinit {
    for listener in made { listener.endCell() }
    current.endCell()
  }

  /// The address that the render thread reads; it is valid as long as this object lives.
  var place: UnsafePointer<Atomic<UInt>> { UnsafePointer(current) }

  /// [control thread] The present listener.
  var listener: InputSamplesListener { made.last?.pointee ?? InputSamplesListener() }

  /// [control thread] Sets a new listener.
  func set(_ listener: InputSamplesListener) {
    let memory = UnsafeMutablePointer.cell(listener)
    made.append(memory)
    current.pointee.store(UInt(bitPattern: memory), ordering: .releasing)
  }

  /// [control thread, while nothing renders] Frees replaced listeners.
  func freeReplaced() {
    for listener in made.dropLast() { listener.endCell() }
    made.removeFirst(max(made.count - 1, 0))
  }
}
