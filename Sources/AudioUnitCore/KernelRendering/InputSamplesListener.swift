// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import SignalProcessing
import Synchronization

/// What a host sets by `kAudioUnitProperty_InputSamplesInOutput`: a function and its context. Without a
/// function nobody is told.
///
/// Laid out like `AUInputSamplesInOutputCallbackStruct`, whose members may not be null in Swift.
struct InputSamplesListener: BitwiseCopyable {
  var function: UnsafeRawPointer?
  var context: UnsafeMutableRawPointer?
}

/// The listener of a unit, which may be another one while the unit renders.
///
/// Each listener lies in memory that stays as it is: the render thread reads its address once. What was
/// replaced is freed when nothing renders.
final class InputSamplesListeners {
  private let current: UnsafeMutablePointer<Atomic<UInt>>
  private var made: [UnsafeMutablePointer<InputSamplesListener>] = []

  /// [control thread] No listener.
  init() { current = .cell(Atomic(0)) }

  deinit {
    for listener in made { listener.endCell() }
    current.endCell()
  }

  /// The place that the render thread reads, which lives as long as this object.
  var place: UnsafePointer<Atomic<UInt>> { UnsafePointer(current) }

  /// [control thread] The listener of this moment.
  var listener: InputSamplesListener { made.last?.pointee ?? InputSamplesListener() }

  /// [control thread] Sets another one.
  func set(_ listener: InputSamplesListener) {
    let memory = UnsafeMutablePointer.cell(listener)
    made.append(memory)
    current.pointee.store(UInt(bitPattern: memory), ordering: .releasing)
  }

  /// [control thread, while nothing renders] Frees those that were replaced.
  func freeReplaced() {
    for listener in made.dropLast() { listener.endCell() }
    made.removeFirst(max(made.count - 1, 0))
  }
}
