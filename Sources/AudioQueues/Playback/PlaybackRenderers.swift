// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The renderer of a playback queue, and how many frames are decoded ahead into its ring.
final class PlaybackRenderers: @unchecked Sendable {
  private let core: QueueCore
  // Guarded by the queue's `lock`.
  private(set) var current: UnsafeMutablePointer<PlaybackRenderer>?
  /// Renderers that were too small; manual rendering may still use one.
  private var retired: [UnsafeMutablePointer<PlaybackRenderer>] = []
  private var isMeteringEnabled = false
  /// The number of frames that the program wants decoded ahead.
  var requestedFrames: Int?
  /// The number of frames that are decoded ahead while the queue runs.
  private(set) var targetFrames = 0
  /// The number of frames that `AudioQueuePrime` requested.
  var primedFrames = 0

  init(_ core: QueueCore) { self.core = core }

  deinit {
    for renderer in retired { renderer.endCell() }
    current?.endCell()
  }

  private var access: QueueAccess { core.access }
  private var format: AudioStreamBasicDescription { core.format }
  private var channelCount: Int { Int(format.mChannelsPerFrame) }
  private func frames(_ seconds: Double) -> Int { Int(saturating: seconds * format.mSampleRate) }

  /// The most samples that are decoded ahead, and the most frames: of a minute, if there are not too
  /// many channels.
  private static let mostSamples = 1 << 25
  var mostFrames: Int { max(4_096, min(frames(60), Self.mostSamples / channelCount)) }

  /// The seconds that are decoded ahead at least. Decoding packets takes time; linear PCM takes
  /// hardly any.
  private var leastSeconds: Double { format.mFormatID == kAudioFormatLinearPCM ? 0.03 : 0.1 }

  /// [holding `lock`] The value of `kAudioQueueProperty_DecodeBufferSizeFrames`.
  var decodeFrames: Int { requestedFrames ?? max(targetFrames, frames(leastSeconds)) }

  /// [holding `control`, while stopped] Allocates a renderer with its ring, unless the current one
  /// is large enough. A cycle of the device takes `cycle` seconds.
  func prepare(cycle: Double) throws(AudioError) -> UnsafeMutablePointer<PlaybackRenderer> {
    // One or two cycles must be ready.
    let ahead = frames(max(leastSeconds, 2.5 * cycle))
    let target = access.lock.withLock {
      targetFrames = min(requestedFrames ?? ahead, mostFrames)
      return targetFrames
    }
    let room = max(frames(0.1), min(frames(0.75), Self.mostSamples / 8 / channelCount))
    let least = max(2 * target, room) + 4 * BufferDecoder.chunk
    if let current, current.pointee.ring.capacity >= least { return current }
    return try access.whileHalted {
      // Frames that are already decoded are played from the current ring.
      if let current, current.pointee.ring.fill > 0 {
        // No more is decoded ahead than this ring holds.
        let most = current.pointee.ring.capacity - 4 * BufferDecoder.chunk
        access.lock.withLock { targetFrames = min(targetFrames, most) }
        return current
      }
      let made = UnsafeMutablePointer.cell(
        PlaybackRenderer(
          channelCount: channelCount, sampleRate: format.mSampleRate, capacity: least,
          parameters: core.parameters))
      access.lock.withLock {
        made.pointee.levels.isOn.store(isMeteringEnabled, ordering: .relaxed)
        if let current { retired.append(current) }
        current = made
      }
      return made
    }
  }

  /// The current renderer, which lives as long as the queue.
  var renderer: UnsafeMutablePointer<PlaybackRenderer>? { access.lock.withLock { current } }

  /// Whether the levels of the sound are measured.
  var measuresLevels: Bool {
    get { access.lock.withLock { isMeteringEnabled } }
    set {
      access.lock.withLock {
        isMeteringEnabled = newValue
        current?.pointee.levels.isOn.store(newValue, ordering: .relaxed)
      }
    }
  }

  /// The levels of the channels.
  func levels(inDecibels: Bool) -> [AudioQueueLevelMeterState] {
    let silence: Float32 = inDecibels ? -120 : 0
    return renderer?.pointee.levels.states(inDecibels: inDecibels)
      ?? Array(
        repeating: .init(mAveragePower: silence, mPeakPower: silence), count: channelCount)
  }
}
