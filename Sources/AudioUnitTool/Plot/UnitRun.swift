// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// A unit fed from memory, for measuring its output in one channel.
final class UnitRun {
  private static let renderFrames = 512

  private let made: TemporaryUnit
  let unit: AudioUnit
  let sampleRate: Double
  /// The latency in frames, and the tail in seconds.
  let latency: Int
  let tailTime: Double
  private let source = RunSource(frames: renderFrames)
  private var time = AudioTimeStamp()

  /// Makes the unit, applies the spec and initialises the unit.
  init(_ spec: UnitSpec, sampleRate: Double) throws {
    made = try TemporaryUnit(spec.component())
    unit = made.unit
    self.sampleRate = sampleRate
    let inputCount = Int(unit.elementCount(kAudioUnitScope_Input))
    let outputCount = Int(unit.elementCount(kAudioUnitScope_Output))
    guard inputCount == 1, outputCount == 1 else {
      throw Failure(
        "'\(spec.name)' has \(Numbers.count(inputCount, "input")) and "
          + "\(Numbers.count(outputCount, "output")): only units with one of each can be plotted")
    }
    var format = AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1,
      mBitsPerChannel: 32, mReserved: 0)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try Failure.check(
        AudioUnitSetProperty(
          unit, kAudioUnitProperty_StreamFormat, scope, 0, &format,
          UInt32(clamping: MemoryLayout.size(ofValue: format))), "'\(spec.name)' in mono")
    }
    var callback = AURenderCallbackStruct(
      inputProc: RunSource.feed, inputProcRefCon: Unmanaged.passUnretained(source).toOpaque())
    try Failure.check(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
        UInt32(clamping: MemoryLayout.size(ofValue: callback))), "'\(spec.name)'")
    try spec.apply(to: unit)
    try Failure.check(AudioUnitInitialize(unit), "'\(spec.name)'")
    let lag = unit.value(kAudioUnitProperty_Latency, over: 0.0) ?? 0
    latency = Int(saturating: (lag * sampleRate).rounded())
    tailTime = unit.value(kAudioUnitProperty_TailTime, over: 0.0) ?? 0
    time.mFlags = .sampleTimeValid
  }

  /// The output for a signal, after a reset.
  func output(of input: [Float]) throws -> [Float] {
    try Failure.check(AudioUnitReset(unit, kAudioUnitScope_Global, 0), "Can't reset")
    var output: [Float] = []
    output.reserveCapacity(input.count)
    while output.count < input.count {
      let frames = min(Self.renderFrames, input.count - output.count)
      for index in 0..<frames { source.samples[index] = input[output.count + index] }
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(clamping: 4 * frames), mData: nil))
      try Failure.check(
        AudioUnitRender(unit, nil, &time, 0, UInt32(clamping: frames), &list), "Can't render")
      time.mSampleTime += Double(frames)
      guard let data = list.mBuffers.mData?.assumingMemoryBound(to: Float.self) else {
        throw Failure("the unit gave no samples")
      }
      output += UnsafeBufferPointer(start: data, count: frames)
    }
    return output
  }
}

/// The next samples for the unit's input.
private final class RunSource {
  let samples: UnsafeMutablePointer<Float>

  init(frames: Int) {
    samples = .allocate(capacity: frames)
    samples.initialize(repeating: 0, count: frames)
  }

  deinit { samples.deallocate() }

  static let feed: AURenderCallback = { context, _, _, _, frames, list in
    Unmanaged<RunSource>.fromOpaque(context)._withUnsafeGuaranteedRef { source in
      guard let data = list?.pointee.mBuffers.mData else { return -50 }
      data.copyMemory(from: source.samples, byteCount: 4 * Int(frames))
      return noErr
    }
  }
}
