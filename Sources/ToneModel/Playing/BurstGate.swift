// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Passes some periods of a wave and silences others, separately for each channel.
///
/// It counts rising zero crossings, so it follows every frequency, and it switches near zero.
struct BurstGate: ~Copyable {
  private struct Channel {
    /// Periods since the last start of a burst.
    var period = 0
    var last: Float = 0
  }

  private let channels: UnsafeMutablePointer<Channel>
  private let channelCount: Int
  private var bits: UInt64 = 0

  /// [control thread] An open gate.
  init(channelCount: Int) {
    self.channelCount = channelCount
    channels = .allocate(capacity: channelCount)
    channels.initialize(repeating: Channel(), count: channelCount)
  }

  deinit { channels.deallocate() }

  /// [render thread] Silences the gaps between bursts, for `ToneBurst.bits`; 0 changes nothing.
  @_noLocks
  mutating func apply(
    _ bits: UInt64, to data: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int
  ) {
    if bits != self.bits { begin(bits) }
    guard bits != 0 else { return }
    let (on, off) = (
      Int(truncatingIfNeeded: bits >> 32), Int(truncatingIfNeeded: bits & 0xffff_ffff)
    )
    let buffers = buffers(of: data)
    let count = min(channelCount, Int(data.pointee.mNumberBuffers))
    for channel in 0..<count {
      guard let memory = buffers[channel].mData else { continue }
      let samples = memory.assumingMemoryBound(to: Float.self)
      var state = channels[channel]
      for frame in 0..<frameCount {
        let sample = samples[frame]
        if state.last < 0, sample >= 0 {
          state.period = state.period + 1 == on + off ? 0 : state.period + 1
        }
        state.last = sample
        if state.period >= on { samples[frame] = 0 }
      }
      channels[channel] = state
    }
  }

  /// Restarts at the first period of a burst.
  @_noLocks
  private mutating func begin(_ bits: UInt64) {
    self.bits = bits
    for channel in 0..<channelCount { channels[channel].period = 0 }
  }
}
