// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// What feeds the unit of a source or player node: its render callback, as an object.
///
/// The node retains it as long as the unit exists, so a render counts no references.
class NodeFeed: @unchecked Sendable {
  /// [render thread] Fills the buffers of `list` with the next frames, in the format of the unit's
  /// input. The frames have no silence flag and no values yet.
  @_noLocks
  func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus { noErr }

  /// The callback of the unit's input.
  final var callback: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: { context, flags, time, _, frames, list in
        guard let list else { return kAudio_ParamError }
        return Unmanaged<NodeFeed>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.render(flags, time, frames, list)
        }
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }
}

/// Silence for the input of an effect that nothing feeds: an input without a source would be an error
/// of everything that pulls it.
final class SilentFeed: NodeFeed, @unchecked Sendable {  // it has no state
  /// It serves every effect, for ever.
  static let shared = SilentFeed()

  @_noLocks
  override func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    list.silence(flags)
    return noErr
  }
}
