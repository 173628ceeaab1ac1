// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Changes the sample rate, and the speed as a tape does.
struct RateStep: EditStep {
  /// The new rate, given that of the sound.
  let newRate: @Sendable (Double) -> Double
  /// How much faster, and higher, the sound becomes.
  var speed = 1.0
  var quality = ConversionQuality.mastering

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    let sound = try input()
    let rate = newRate(sound.sampleRate)
    guard rate != sound.sampleRate || speed != 1 else { return sound }
    return try ConvertedStream(sound, to: rate, speed: speed, quality)
  }
}

/// A sound at another sample rate, by an audio converter that pulls it.
private final class ConvertedStream: SteppedStream {
  let input: any SoundStream
  let sampleRate: Double
  private let ratio: Double
  private let converter: AudioConverterRef
  private let memory: BlockMemory
  private var failure: Failure?
  /// Frames that were read from the input, and those that were returned.
  private var (consumed, position) = (0, 0)
  private var hasEnded = false

  init(
    _ input: any SoundStream, to rate: Double, speed: Double, _ quality: ConversionQuality
  ) throws(Failure) {
    self.input = input
    sampleRate = rate
    ratio = rate / (input.sampleRate * speed)
    memory = BlockMemory(channelCount: input.channelCount)
    func format(_ rate: Double) -> AudioStreamBasicDescription {
      KeptSamples.Sample.float64.interleaved(rate, channelCount: input.channelCount)
    }
    // Only the ratio of the rates matters: neither becomes higher than that of a sound.
    let scale = max(1, speed)
    var (source, target) = (format(input.sampleRate * speed / scale), format(rate / scale))
    var made: AudioConverterRef?
    try Failure.check(AudioConverterNew(&source, &target, &made), "Can't convert the rate")
    guard let made else { throw Failure("Can't convert the rate") }
    converter = made
    try quality.set(on: made)
  }

  deinit { AudioConverterDispose(converter) }

  var frameCount: Int? { input.frameCount.map { frames($0) } }
  var map: FrameMap? { input.map?.scaled(by: ratio) }

  var keepsSamples: Bool { false }

  private func frames(_ count: Int) -> Int { Int(saturating: (Double(count) * ratio).rounded()) }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    let limit = hasEnded ? max(0, frames(consumed) - position) : .max
    let wanted = min(frameCount, limit)
    guard wanted > 0 else { return 0 }
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: UInt32(clamping: channelCount),
        mDataByteSize: UInt32(clamping: wanted * channelCount * 8), mData: samples))
    var count = UInt32(clamping: wanted)
    let status = AudioConverterFillComplexBuffer(
      converter,
      { _, count, data, _, context in
        guard let context else { return kAudio_ParamError }
        return Unmanaged<ConvertedStream>.fromOpaque(context).takeUnretainedValue()
          .supply(count, data)
      }, Unmanaged.passUnretained(self).toOpaque(), &count, &list, nil)
    if let failure { throw failure }
    try Failure.check(status, "Can't convert the rate")
    // The end may have come meanwhile.
    let left = hasEnded ? max(0, frames(consumed) - position) : Int(count)
    let read = min(Int(count), left)
    position += read
    return read
  }

  private func supply(
    _ count: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    var read = 0
    do {
      if !hasEnded {
        read = try input.read(
          into: memory.samples, min(Int(count.pointee), BlockMemory.frameCount))
      }
    } catch {
      failure = error
      return kAudio_ParamError
    }
    hasEnded = read == 0
    consumed += read
    count.pointee = UInt32(clamping: read)
    data.pointee.mBuffers.mData = UnsafeMutableRawPointer(memory.samples)
    data.pointee.mBuffers.mDataByteSize = UInt32(clamping: read * channelCount * 8)
    return noErr
  }
}
