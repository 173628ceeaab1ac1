// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// What a unit that somebody else wrote says of itself as a source.
///
/// It is asked before the consumer takes any lock: its functions are the program's.
struct ForeignOffer {
  /// The format of the output that is to be connected, or why there is none.
  let format: Result<StreamFormat, AudioError>

  /// [control thread, no lock held] The offer for the bytes of an `AudioUnitConnection`; nil where the
  /// source is a unit of ours, or none.
  init?(_ data: UnsafeRawPointer?, _ size: UInt32) {
    guard let data, size >= MemoryLayout<AudioUnitConnection>.size else { return nil }
    let connection = data.loadUnaligned(as: AudioUnitConnection.self)
    guard let handle = connection.sourceAudioUnit else { return nil }
    let found = UnitInstance.use(handle) { source -> Result<StreamFormat, AudioError>? in
      guard source.renderSide == nil else { return nil }
      source.findFrameLimit()
      do throws(AudioError) {
        return .success(
          try source.streamFormat(kAudioUnitScope_Output, connection.sourceOutputNumber))
      } catch { return .failure(error) }
    }
    guard let found else { return nil }
    format = found
  }
}
