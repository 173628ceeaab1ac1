// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox

/// A unit of a program without a fault: a gain whose changes and ramps begin at their frames.
final class Attenuator: AUAudioUnit {
  static let codes = AudioComponentDescription(
    componentType: kAudioUnitType_Effect, componentSubType: 0x6174_746E,
    componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0)

  /// The gain, which renders change and other threads read.
  private final class State: @unchecked Sendable {
    var gain: Float = 1
    var step: Float = 0
    var rampFrames: UInt32 = 0
  }

  private let state = State()
  private var inputs: AUAudioUnitBusArray?
  private var outputs: AUAudioUnitBusArray?

  override init(
    componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else {
      throw CocoaError(.featureUnsupported)
    }
    inputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
    let gain = AUParameterTree.createParameter(
      withIdentifier: "gain", name: "gain", address: 7, min: 0, max: 1, unit: .linearGain,
      unitName: nil, flags: [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp], valueStrings: nil,
      dependentParameters: nil)
    gain.value = 1
    let tree = AUParameterTree.createTree(withChildren: [gain])
    tree.implementorValueObserver = { [state] _, value in
      (state.gain, state.rampFrames) = (value, 0)
    }
    tree.implementorValueProvider = { [state] _ in state.gain }
    parameterTree = tree
  }

  override var inputBusses: AUAudioUnitBusArray { inputs ?? super.inputBusses }
  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
  override var canProcessInPlace: Bool { true }

  override var internalRenderBlock: AUInternalRenderBlock {
    { [state] flags, time, frames, _, output, events, pull in
      guard let pull else { return kAudioUnitErr_NoConnection }
      let status = pull(flags, time, frames, 0, output)
      guard status == noErr else { return status }
      var event = events
      let start = AUEventSampleTime(time.pointee.mSampleTime)
      let buffers = UnsafeMutableAudioBufferListPointer(output)
      for frame in 0..<Int(frames) {
        while let next = event, next.pointee.head.eventSampleTime - start <= frame {
          let change = next.pointee.parameter
          state.rampFrames = change.rampDurationSampleFrames
          if state.rampFrames == 0 {
            state.gain = change.value
          } else {
            state.step = (change.value - state.gain) / Float(state.rampFrames)
          }
          event = UnsafePointer(next.pointee.head.next)
        }
        for buffer in buffers {
          buffer.mData?.assumingMemoryBound(to: Float.self)[frame] *= min(max(state.gain, 0), 1)
        }
        guard state.rampFrames > 0 else { continue }
        state.gain += state.step
        state.rampFrames -= 1
      }
      return noErr
    }
  }
}
