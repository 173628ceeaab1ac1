// SPDX-License-Identifier: Apache-2.0
import SignalProcessing
import Synchronization

/// Whether this process gets silence from all devices, instead of what they capture.
package enum InputMute {
  /// A switch in memory that lives as long as the process, for render threads.
  struct Switch: @unchecked Sendable {
    private let pointer = UnsafeMutablePointer<Atomic<Bool>>.cell(Atomic(false))

    /// [any thread] Whether it is on.
    var isOn: Bool {
      @_noLocks get { pointer.pointee.load(ordering: .relaxed) }
    }

    /// [any thread] Sets it; returns whether it was on.
    func exchange(_ isOn: Bool) -> Bool {
      pointer.pointee.exchange(isOn, ordering: .relaxed)
    }
  }

  static let current = Switch()

  /// [any thread but a render thread] Whether the input is muted.
  package static var isOn: Bool { current.isOn }

  /// [any thread but a render thread] Mutes or unmutes it; returns whether it was muted.
  package static func exchange(_ isOn: Bool) -> Bool { current.exchange(isOn) }
}

/// Silence in place of an input. [control thread]
struct SilentInput: BitwiseCopyable, @unchecked Sendable {
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let channelCount: Int
  /// The most frames at once.
  let frameCount: Int

  /// Allocates the channels in a memory.
  init(channelCount: Int, frameCount: Int, in memory: OwnedMemory) {
    self.channelCount = channelCount
    self.frameCount = max(frameCount, 1)
    let samples = memory.array(max(channelCount, 1) * self.frameCount, of: Float(0))
    channels = memory.array(
      (0..<max(channelCount, 1)).map { samples + $0 * max(frameCount, 1) })
  }

  /// [render thread] The channels, silent although the last reader may have written to them.
  @_noLocks
  func cleared(_ frames: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
    for channel in 0..<channelCount { Samples.clear(channels[channel], count: frames) }
    return UnsafePointer(channels)
  }
}
