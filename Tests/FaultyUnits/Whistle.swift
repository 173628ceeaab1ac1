// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox

/// An instrument of a program without a fault: the last key whistles, and every message is passed on at
/// its frame.
final class Whistle: AUAudioUnit {
  static let codes = AudioComponentDescription(
    componentType: kAudioUnitType_MusicDevice, componentSubType: 0x7768_7374,
    componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0)

  /// What the render thread uses.
  private final class State: @unchecked Sendable {
    var key: UInt8?
    var phase = 0.0
    var level: Float = 0
    var sampleRate = 44_100.0

    func clear() { (key, phase, level) = (nil, 0, 0) }

    /// Obeys a message of three bytes.
    func receive(_ status: UInt8, _ first: UInt8, _ second: UInt8) {
      switch status & 0xF0 {
      case 0x90 where second > 0: key = min(first, 127)
      case 0x80, 0x90: if key == first { key = nil }
      case 0xB0 where first == 120 || first == 123: key = nil
      default: break
      }
    }

    /// The next sample. The level moves by a five hundredth of full scale per frame.
    func next() -> Float {
      level = key == nil ? max(0, level - 0.002) : min(1, level + 0.002)
      guard level > 0 else { return 0 }
      if let key { phase += 440 * exp2((Double(key) - 69) / 12) / sampleRate }
      phase -= phase.rounded(.down)
      return 0.25 * level * Float(sin(2 * Double.pi * phase))
    }
  }

  private let state = State()
  private var outputs: AUAudioUnitBusArray?

  override init(
    componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else {
      throw CocoaError(.featureUnsupported)
    }
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
  }

  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
  override var midiOutputNames: [String] { ["Thru"] }

  override func allocateRenderResources() throws {
    try super.allocateRenderResources()
    state.clear()
    state.sampleRate = outputBusses[0].format.sampleRate
  }

  override func reset() {
    super.reset()
    state.clear()
  }

  override var internalRenderBlock: AUInternalRenderBlock {
    let thru = midiOutputEventBlock
    return { [state] _, time, frames, _, output, events, _ in
      var event = events
      let start = AUEventSampleTime(time.pointee.mSampleTime)
      let buffers = UnsafeMutableAudioBufferListPointer(output)
      for frame in 0..<Int(frames) {
        while let next = event, next.pointee.head.eventSampleTime - start <= frame {
          if next.pointee.head.eventType == .MIDI, next.pointee.MIDI.length <= 3 {
            let (status, first, second) = next.pointee.MIDI.data
            state.receive(status, first, second)
            withUnsafeBytes(of: next.pointee.MIDI.data) { bytes in
              guard let data = bytes.baseAddress else { return }
              _ = thru?(
                start + AUEventSampleTime(frame), 0, Int(next.pointee.MIDI.length),
                data.assumingMemoryBound(to: UInt8.self))
            }
          }
          event = UnsafePointer(next.pointee.head.next)
        }
        let sample = state.next()
        for buffer in buffers { buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = sample }
      }
      return noErr
    }
  }
}
