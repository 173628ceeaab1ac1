// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// `Mixer3D` with the identifiers that Apple uses on embedded systems and for its later spatial
/// mixer. The gain limits are linear, the head can be turned, and the room has a filter.
struct SpatialMixer: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer, "AUSpatialMixer")
  static let elements = SpatialEngine.elements
  static let channels = SpatialEngine.channels
  static let inputChannels = 1...2
  static let outputChannels = 1...8
  static let newInputChannels = 1
  static let maximumFramesPerSlice = 1024
  static let inputSwitch: Parameter? = .enable
  static let hasSignalHistory = true
  static let fadeTime = Fader.fadeTime
  static let playbackRate: Parameter? = .playbackRate

  typealias Parameter = SpatialParameter
  typealias Setting = SpatialSetting
  static let meters = MeterSet.pairs(on: [kAudioUnitScope_Input])

  private var engine: SpatialEngine

  init(_ setup: KernelSetup) { engine = SpatialEngine(setup) }
  deinit { engine.deallocate() }

  func tailTime(_ values: Values) -> Double? {
    engine.tailTime(
      hasRoom: values[.hasRoom] != 0, roomType: values[.roomType],
      filter: SpatialEngine.filter(values, .linear))
  }

  mutating func reset() { engine.reset() }

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) { engine.render(inputs, outputs, values, limits: .linear) }
}
