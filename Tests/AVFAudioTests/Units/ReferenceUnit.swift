// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

/// A unit without an engine, fed by a `Counter`: what a node must equal to the bit.
final class ReferenceUnit: @unchecked Sendable {  // one thread
  let unit: AudioUnit
  private var next = 0
  private let channels = 2

  init(_ type: OSType, _ subType: OSType, sampleRate: Double = 48_000) throws {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    let component = try #require(AudioComponentFindNext(nil, &description))
    var made: AudioUnit?
    try #require(AudioComponentInstanceNew(component, &made) == noErr)
    unit = try #require(made)
    let format = try #require(
      AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 2))
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      set(kAudioUnitProperty_StreamFormat, format.streamDescription.pointee, scope)
    }
    set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(4_096))
    set(
      kAudioUnitProperty_SetRenderCallback,
      AURenderCallbackStruct(
        inputProc: { context, _, _, _, frames, list in
          Unmanaged<ReferenceUnit>.fromOpaque(context).takeUnretainedValue().fill(list, frames)
          return noErr
        }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque()), kAudioUnitScope_Input)
  }

  deinit { AudioComponentInstanceDispose(unit) }

  func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global
  ) {
    var value = value
    #expect(
      AudioUnitSetProperty(
        unit, id, scope, 0, &value, UInt32(MemoryLayout<Value>.size)) == noErr)
  }

  func set(_ id: AudioUnitParameterID, to value: Float) {
    #expect(AudioUnitSetParameter(unit, id, kAudioUnitScope_Global, 0, value, 0) == noErr)
  }

  func load(preset number: Int) {
    var preset = AUPreset()
    preset.presetNumber = Int32(number)
    set(kAudioUnitProperty_PresentPreset, preset)
  }

  private func fill(_ list: UnsafeMutablePointer<AudioBufferList>?, _ frames: UInt32) {
    guard let buffers = UnsafeMutableAudioBufferListPointer(list) else { return }
    for buffer in buffers {
      let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
      for frame in 0..<Int(frames) { samples?[frame] = Counter.value(next + frame) }
    }
    next += Int(frames)
  }

  /// Renders slices; `before` is called before each with its number.
  func render(
    _ frames: Int, slice: Int = 512, before: (Int) -> Void = { _ in }
  ) throws -> [[Float]] {
    try #require(AudioUnitInitialize(unit) == noErr)
    let format = try #require(
      AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(slice)))
    var (done, number) = (0, 0)
    var samples = [[Float]](repeating: [], count: 2)
    while done < frames {
      let count = min(slice, frames - done)
      before(number)
      buffer.frameLength = AVAudioFrameCount(count)
      var time = AudioTimeStamp()
      time.mSampleTime = Double(done)
      time.mFlags = .sampleTimeValid
      let list = buffer.mutableAudioBufferList
      for index in 0..<2 {
        UnsafeMutableAudioBufferListPointer(list)[index].mDataByteSize = UInt32(4 * count)
      }
      try #require(AudioUnitRender(unit, nil, &time, 0, UInt32(count), list) == noErr)
      let data = try #require(buffer.floatChannelData)
      for index in 0..<2 {
        samples[index] += UnsafeBufferPointer(start: data[index], count: count)
      }
      done += count
      number += 1
    }
    return samples
  }
}

extension Offline {
  /// Connects a counting source through a node to the main mixer, and starts.
  func play(through node: AVAudioNode) throws {
    let source = Counter().node()
    engine.attach(source)
    engine.attach(node)
    engine.connect(source, to: node, format: format)
    engine.connect(node, to: engine.mainMixerNode, format: format)
    try engine.start()
  }
}
