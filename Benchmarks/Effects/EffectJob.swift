// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A benchmark of one effect on stereo noise at 48 kHz, with other programs for comparison.
///
/// Each family of effects has a file with its benchmarks.
struct EffectJob {
  let name: String
  let subType: OSType
  /// Parameters that differ from their defaults.
  var parameters: [AudioUnitParameterID: Float] = [:]
  /// Makes the kernel alone, without the unit, which processes both channels in place.
  var kernel: (() -> EffectKernelRun)?
  /// The limit in nanoseconds per frame and channel, at 512 frames.
  var target: Double?
  var peers: [EffectPeer] = []

  /// Measures the jobs, each with its peers.
  static func run(_ jobs: [EffectJob], in folder: URL) {
    for job in jobs { job.run(in: folder) }
  }

  private func run(in folder: URL) {
    Report.title("\(name), stereo, 48 kHz (ns per frame and channel)")
    var ours: [Int: Double] = [:]
    for frames in [512, 64] {
      let aim = frames == 512 ? target : nil
      if let kernel {
        let alone = time(kernel(), frames)
        ours[frames] = alone
        Report.own("kernel, \(frames) frames", alone, "ns", target: aim)
      }
      let host = EffectHost(subType, frames: frames)
      for (id, value) in parameters { host.set(id, value) }
      let unit = Stopwatch.nanoseconds { host.render() } / Double(2 * frames)
      Report.own("unit, \(frames) frames", unit, "ns", target: kernel == nil ? aim : nil)
      ours[frames] = ours[frames] ?? unit
    }
    for peer in peers {
      for (frames, figure) in peer.measure(folder) {
        Report.peer(
          "\(peer.name), \(frames) frames", figure, "ns", ours: ours[frames] ?? ours[512] ?? 1)
      }
    }
  }

  /// The time of the kernel and of copying its input.
  private func time(_ kernel: EffectKernelRun, _ frames: Int) -> Double {
    let noise = NoiseBuffer(frames: frames)
    return Stopwatch.nanoseconds {
      noise.refill()
      kernel(noise.channels, frames)
    } / Double(2 * frames)
  }
}

/// Processes frames of two channels in place.
typealias EffectKernelRun = (
  _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int
) -> Void

/// Two channels of noise that can be restored.
final class NoiseBuffer {
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let noise: UnsafeMutablePointer<Float>
  private let frames: Int

  init(frames: Int) {
    self.frames = frames
    noise = .allocate(capacity: 2 * frames)
    channels = .allocate(capacity: 2)
    var state: UInt32 = 1
    for index in 0..<2 * frames {
      state = state &* 1_664_525 &+ 1_013_904_223
      noise[index] = (Float(state >> 8) * 0x1p-23 - 1) * 0.25
    }
    for channel in 0..<2 {
      channels[channel] = .allocate(capacity: frames)
      channels[channel].initialize(from: noise + channel * frames, count: frames)
    }
  }

  deinit {
    for channel in 0..<2 { channels[channel].deallocate() }
    channels.deallocate()
    noise.deallocate()
  }

  func refill() {
    for channel in 0..<2 { copy(channel, to: channels[channel], frames) }
  }

  /// Copies the first frames of a channel.
  func copy(_ channel: Int, to memory: UnsafeMutableRawPointer, _ count: Int) {
    memory.copyMemory(from: noise + channel * frames, byteCount: 4 * min(count, frames))
  }
}
