// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The output of a foreign unit, as the unit reports it.
///
/// The unit is queried before the consumer acquires any lock, because its functions belong to the
/// program.
struct ForeignOutput {
  /// The format of the output, or the reason why there is none.
  let format: Result<StreamFormat, AudioError>

  /// [control thread, no lock held] Queries the source in the bytes of an `AudioUnitConnection`;
  /// nil if the source is a native unit, or missing.
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
