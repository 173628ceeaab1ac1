// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// What a render needs to know about a unit's connections: the source of each input.
///
/// Built by the control side, published as a whole and never changed. A pointer to memory, so that
/// render code counts no references.
public struct RenderPlan: BitwiseCopyable {
  let sources: SourceTable

  @_noLocks
  init(_ sources: SourceTable) { self.sources = sources }

  /// [render thread] Whether anything feeds an input.
  @_noLocks
  package func hasSource(_ input: Int) -> Bool { sources[input].pointee.isThere }

  /// [render thread] Fills `buffer` with the next frames of an input: from its callback, in our
  /// memory, or from its connection, in the source's. `isPrepared`: its list already points at the
  /// memory for a callback.
  @_noLocks @inline(__always)
  package func pull(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, into buffer: BusBuffer,
    allocates: Bool, isPrepared: Bool = false
  ) -> OSStatus {
    pullInput(
      input, flags, time, frames, into: buffer,
      isPrepared ? .asItIs : allocates ? .memory : .empty
    ).status
  }

  /// [render thread] The same, for a receiver that needs to know whose memory it got.
  @_noLocks @inline(__always)
  func pullInput(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, into buffer: BusBuffer,
    _ preparation: ListPreparation
  ) -> Pulled {
    let pulled = sources[input].pull(
      input, flags, time, UInt32(truncatingIfNeeded: frames), into: buffer, preparation)
    if pulled.status == noErr { flags.pointee.outputIsSilence = pulled.isSilent }
    return pulled
  }
}

extension RenderSide {
  /// [render thread] The sources that were published last.
  package var plan: RenderPlan {
    @_noLocks @inline(__always) get { RenderPlan(SourceTable(address: sources.load())) }
  }
}
