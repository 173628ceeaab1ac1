// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
import AudioUnitCore
import CAudioToolbox

// The properties and the echo delay of units with voice processing.
extension OutputUnit {
  private typealias Row = PropertyRows<OutputUnit>
  private static let global = [kAudioUnitScope_Global]

  /// The properties of a unit with voice processing.
  static let voiceRows: [Property] =
    [
      flag(
        kAUVoiceIOProperty_BypassVoiceProcessing, get: { $0.control.isBypassed },
        set: { $0.control.isBypassed = $1 }),
      flag(
        kAUVoiceIOProperty_VoiceProcessingEnableAGC, get: { $0.control.followsLevel },
        set: { $0.control.followsLevel = $1 }),
      flag(
        kAUVoiceIOProperty_DuckNonVoiceAudio, get: { $0.watched.ducksOthers },
        set: { voice, isOn in voice.change { $0.ducksOthers = isOn } }),
      flag(
        kAUVoiceIOProperty_MuteOutput, get: { $0.control.isMuted },
        set: { $0.control.isMuted = $1 }),
      Row.value(
        kAUVoiceIOProperty_VoiceProcessingQuality, in: global,
        writable: .uninitialized(
          .initialized.because("the quality is fixed while the unit is initialized")),
        get: { (unit, _) throws(AudioError) in try voice(of: unit).quality },
        set: { (unit, _, quality: UInt32) throws(AudioError) in
          guard quality <= 127 else {
            throw .invalidPropertyValue.because("the quality is 0 to 127, not \(quality)")
          }
          try voice(of: unit).quality = quality
        }),
      Row.value(
        kAUVoiceIOProperty_MutedSpeechActivityEventListener, in: global,
        UnsafeRawPointer?.self,
        set: { (unit, _, block) throws(AudioError) in
          try voice(of: unit).setListener(block.map { VoiceProcessing.SpeechListener(block: $0) })
          VoiceWatch.shared.check()
        }),
      Row.value(
        kAUVoiceIOProperty_OtherAudioDuckingConfiguration, in: global,
        get: { (unit, _) throws(AudioError) in try voice(of: unit).watched.ducking },
        set: {
          (unit, _, ducking: AUVoiceIOOtherAudioDuckingConfiguration) throws(AudioError) in
          guard VoiceDucking.gain(ducking.mDuckingLevel) != nil else {
            throw .invalidPropertyValue.because(
              "the ducking level is 0, 10, 20 or 30, not \(ducking.mDuckingLevel.rawValue)")
          }
          try voice(of: unit).change { $0.ducking = ducking }
          VoiceWatch.shared.check()
        }),
    ] + rows

  private static func flag(
    _ id: AudioUnitPropertyID, get: @escaping @Sendable (VoiceProcessing) -> Bool,
    set: @escaping @Sendable (VoiceProcessing, Bool) -> Void
  ) -> Property {
    Row.value(
      id, in: global,
      get: { (unit, _) throws(AudioError) in get(try voice(of: unit)) ? UInt32(1) : 0 },
      set: { (unit, _, isOn: UInt32) throws(AudioError) in
        set(try voice(of: unit), isOn != 0)
        VoiceWatch.shared.check()
      })
  }

  private static func voice(of unit: OutputUnit) throws(AudioError) -> VoiceProcessing {
    guard let voice = unit.voice else { throw .invalidProperty }
    return voice
  }

  /// [control thread] Passes the echo delay of a device to the cycles.
  func reportDelay(of connection: DeviceConnection) {
    guard let voice, connection.usesOutput, connection.usesInput else { return }
    voice.control.delay =
      connection.stream.latency(.output) + connection.stream.latency(.input)
      + connection.shape.bridgeLatency
  }
}
