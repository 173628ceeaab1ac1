// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// The function and context that a host sets with `kAudioUnitProperty_InputSamplesInOutput`;
/// without a function there are no notifications.
///
/// Laid out like `AUInputSamplesInOutputCallbackStruct`, whose members may not be null in Swift.
struct InputSamplesListener: BitwiseCopyable {
  var function: UnsafeRawPointer?
  var context: UnsafeMutableRawPointer?
}

/// The listener of a unit, which may be replaced while the unit renders.
final class InputSamplesListeners {
  private let published: UnsafeMutablePointer<Published>
  /// [control thread] The current listener.
  private(set) var listener = InputSamplesListener()

  /// [control thread] Starts without a listener.
  init() { published = .cell(Published()) }

  deinit { published.endCell() }

  /// What render threads read; valid as long as this object lives.
  var reader: Reader { Reader(published: UnsafePointer(published)) }

  /// [control thread] Sets a new listener.
  func set(_ listener: InputSamplesListener) {
    self.listener = listener
    published.pointee.publish(Cell(listener), isQuiet: { false })
  }

  /// [control thread, while nothing renders] Frees replaced listeners.
  func freeReplaced() { published.pointee.freeRetired { true } }

  private struct Cell: Publishable {
    private let memory: UnsafeMutablePointer<InputSamplesListener>

    init(_ listener: InputSamplesListener) { memory = .cell(listener) }

    var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(memory) }
    func deallocate() { memory.endCell() }
  }

  /// The render thread's access to the current listener.
  struct Reader: BitwiseCopyable {
    fileprivate let published: UnsafePointer<Published>

    /// [render thread] The current listener; nil if none was set.
    @_noLocks
    func load() -> InputSamplesListener? {
      published.pointee.loadIfAny()?.assumingMemoryBound(to: InputSamplesListener.self).pointee
    }
  }
}
