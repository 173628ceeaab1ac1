// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// How a unit pulls its inputs.
extension SourceTable {
  /// [render thread] Whether anything feeds an input.
  @_noLocks
  package func hasSource(_ input: Int) -> Bool { self[input].pointee.exists }

  /// [render thread] Fills `buffer` with the next frames of an input. A callback writes into our
  /// memory; the samples of a connected unit stay in its memory. With `isPrepared`, the buffer's
  /// list already points at the memory for a callback.
  @_noLocks @inline(__always)
  package func pull(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, into buffer: BusBuffer,
    allocates: Bool, isPrepared: Bool = false
  ) -> OSStatus {
    pullInput(
      input, flags, time, frames, into: buffer,
      isPrepared ? .unchanged : allocates ? .memory : .empty
    ).status
  }

  /// [render thread] As above, for a receiver that needs the properties of the memory.
  @_noLocks @inline(__always)
  func pullInput(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, into buffer: BusBuffer,
    _ preparation: ListPreparation
  ) -> PullResult {
    let pulled = self[input].pull(
      input, flags, time, UInt32(truncatingIfNeeded: frames), into: buffer, preparation)
    if pulled.status == noErr { flags.pointee.outputIsSilence = pulled.isSilent }
    return pulled
  }
}

extension RenderSide {
  /// [render thread] The current sources of the inputs.
  package var sourceTable: SourceTable {
    @_noLocks @inline(__always) get { SourceTable(address: sources.load()) }
  }
}
