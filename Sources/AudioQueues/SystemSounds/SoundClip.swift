// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioFiles
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import Glibc

/// A whole sound in memory, as interleaved Float32.
struct SoundClip {
  private let sampleRate: Double
  private let channelCount: Int
  private let samples: [Float]

  /// [control thread] Reads a file of at most this many seconds.
  init(_ path: String, longest seconds: Double) throws(AudioError) {
    var file = try SoundFileReader(path: path)
    sampleRate = file.format.sampleRate
    channelCount = file.format.channelCount
    guard Double(file.frameCount) <= seconds * sampleRate else {
      throw AudioError(status: kAudioServicesSystemSoundExceededMaximumDurationError).because(
        "\(path) lasts \(Double(file.frameCount) / sampleRate) s; expected at most \(seconds) s")
    }
    // A file may claim any number of channels and frames.
    guard (Outside(file.frameCount) * channelCount).upTo(Self.mostSamples) != nil else {
      throw AudioError(status: kAudioServicesSystemSoundUnspecifiedError).because(
        "\(path) has \(file.frameCount) frames of \(channelCount) channels, which is too much")
    }
    let planar = PlanarBuffer(channelCount: channelCount, capacity: file.frameCount)
    defer { planar.deallocate() }
    let count = try file.read(into: UnsafePointer(planar.channels), frameCount: file.frameCount)
    guard count > 0 else {
      throw AudioError(status: kAudioServicesSystemSoundUnspecifiedError).because(
        "\(path) contains no sound")
    }
    var samples = [Float](repeating: 0, count: count * channelCount)
    for channel in 0..<channelCount {
      for frame in 0..<count {
        samples[frame * channelCount + channel] = planar.channels[channel][frame]
      }
    }
    self.samples = samples
  }

  /// The most samples of a sound: as many as a buffer of a queue can have.
  private static let mostSamples = 1 << 28

  /// Two decaying partials of a fifth of a second.
  private init() {
    sampleRate = 48_000
    channelCount = 1
    samples = (0..<9_600).map { frame in
      let time = Double(frame) / 48_000
      let level = 0.3 * exp(-time * 18) * min(1, time * 400)
      return Float(level * (sin(2 * .pi * 880 * time) + 0.5 * sin(2 * .pi * 1_320 * time)))
    }
  }

  /// The alert of the desktop's sound theme, or a tone when there is none.
  static var alert: SoundClip {
    let folders =
      (getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? "")
      .split(separator: ":").map(String.init) + ["/usr/local/share", "/usr/share"]
    for folder in folders {
      for name in ["bell.oga", "dialog-warning.oga", "message.oga", "bell.wav"] {
        let path = "\(folder)/sounds/freedesktop/stereo/\(name)"
        if access(path, R_OK) == 0, let clip = try? SoundClip(path, longest: 30) { return clip }
      }
    }
    return SoundClip()
  }

  /// [control thread] A queue with the whole sound enqueued.
  func makeQueue() throws(AudioError) -> AudioQueueRef {
    let bytes = UInt32(clamping: channelCount * 4)
    let format = AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, mBytesPerPacket: bytes,
      mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: UInt32(clamping: channelCount),
      mBitsPerChannel: 32, mReserved: 0)
    let queue = try AudioQueue.makeOutput(format, on: CallbackThread()) { _, _ in }
    do throws(AudioError) {
      try AudioQueue.use(queue) { object throws(AudioError) in
        let buffer = try object.allocate(
          byteCount: UInt32(clamping: samples.count * 4), descriptionCount: 0)
        samples.withUnsafeBytes {
          if let start = $0.baseAddress {
            buffer.pointee.mAudioData.copyMemory(from: start, byteCount: $0.count)
          }
        }
        buffer.pointee.mAudioDataByteSize = UInt32(clamping: samples.count * 4)
        try object.enqueue(buffer)
      }
    } catch {
      try? AudioQueue.dispose(queue, immediately: true)
      throw error
    }
    return queue
  }
}
