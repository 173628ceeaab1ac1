// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("Values of AVAudioUnit classes")
struct UnitValueTests {
  @Test("buses have the names of their elements")
  func busNames() {
    let delay = AVAudioUnitDelay()
    for (scope, name) in [(kAudioUnitScope_Input, "guitar"), (kAudioUnitScope_Output, "echo")] {
      let text = NSString(string: name)
      var value = Unmanaged.passUnretained(text)
      #expect(
        AudioUnitSetProperty(
          delay.audioUnit, kAudioUnitProperty_ElementName, scope, 0, &value, 8) == noErr)
    }
    #expect(delay.name(forInputBus: 0) == "guitar" && delay.name(forOutputBus: 0) == "echo")
    #expect(delay.name(forInputBus: 1) == nil && delay.name(forInputBus: -1) == nil)
  }

  @Test("a delay echoes after a second, and only the echoes sound")
  func delay() {
    let delay = AVAudioUnitDelay()
    #expect((delay.delayTime, delay.feedback) == (1, 50))
    #expect((delay.lowPassCutoff, delay.wetDryMix) == (15_000, 100))
  }

  @Test("a distortion has the documented gain and mix, and the first preset")
  func distortion() throws {
    let distortion = AVAudioUnitDistortion()
    #expect((distortion.preGain, distortion.wetDryMix) == (-6, 50))
    let unit = try ReferenceUnit(kAudioUnitType_Effect, kAudioUnitSubType_Distortion)
    unit.load(preset: 0)
    for id in [kDistortionParam_Decimation, kDistortionParam_Rounding, kDistortionParam_RingModMix]
    {
      #expect(value(id, distortion.audioUnit) == value(id, unit.unit))
    }
  }

  @Test("every preset sets what the unit's preset of this number sets")
  func presets() throws {
    let (reverb, distortion) = (AVAudioUnitReverb(), AVAudioUnitDistortion())
    let room = try ReferenceUnit(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2)
    for number in 0...12 {
      reverb.loadFactoryPreset(try #require(AVAudioUnitReverbPreset(rawValue: number)))
      room.load(preset: number)
      for id in 0...6 as ClosedRange<UInt32> {
        #expect(value(id, reverb.audioUnit) == value(id, room.unit))
      }
    }
    let unit = try ReferenceUnit(kAudioUnitType_Effect, kAudioUnitSubType_Distortion)
    for number in 0...21 {
      distortion.loadFactoryPreset(try #require(AVAudioUnitDistortionPreset(rawValue: number)))
      unit.load(preset: number)
      for id in 0...15 as ClosedRange<UInt32> {
        #expect(value(id, distortion.audioUnit) == value(id, unit.unit))
      }
    }
    #expect(AVAudioUnitReverbPreset(rawValue: 13) == nil)
    #expect(AVAudioUnitDistortionPreset(rawValue: 22) == nil)
  }

  @Test("a reverberation begins as a medium hall")
  func reverb() {
    let (fresh, hall) = (AVAudioUnitReverb(), AVAudioUnitReverb())
    hall.loadFactoryPreset(.mediumHall)
    for id in 0...6 as ClosedRange<UInt32> {
      #expect(value(id, fresh.audioUnit) == value(id, hall.audioUnit))
    }
  }

  @Test("time effects begin without a change")
  func timeEffects() {
    let pitch = AVAudioUnitTimePitch()
    #expect((pitch.rate, pitch.pitch, pitch.overlap) == (1, 0, 8))
    #expect(AVAudioUnitVarispeed().rate == 1)
  }

  @Test("an equaliser has bypassed bands of its own")
  func equalizer() throws {
    let equalizer = AVAudioUnitEQ(numberOfBands: 4)
    #expect(equalizer.bands.count == 4 && equalizer.globalGain == 0)
    for band in equalizer.bands {
      #expect(band.bypass && band.filterType == .parametric)
      #expect((band.frequency, band.bandwidth, band.gain) == (1_000, 0.5, 0))
    }
    equalizer.bands[1].frequency = 300
    #expect(equalizer.bands.map(\.frequency) == [1_000, 300, 1_000, 1_000])
    #expect(AVAudioUnitEQ(numberOfBands: 0).bands.isEmpty)
    #expect(AVAudioUnitEQ(numberOfBands: 64).bands.count == 64)
    for type in 0...10 {
      equalizer.bands[0].filterType = try #require(AVAudioUnitEQFilterType(rawValue: type))
      #expect(equalizer.bands[0].filterType.rawValue == type)
    }
  }

  @Test("a band may be used when its equaliser is gone")
  func lonelyBand() {
    let band = AVAudioUnitEQ(numberOfBands: 1).bands[0]
    band.gain = 3
    #expect(band.gain == 3)
  }

  @Test("NaN and infinity change nothing; what is out of range acts as the nearest value")
  func hostile() throws {
    let offline = try Offline()
    let delay = AVAudioUnitDelay()
    for value in [Float.nan, .infinity, -.infinity] {
      delay.feedback = value
      delay.wetDryMix = value
      delay.delayTime = TimeInterval(value)
    }
    #expect((delay.delayTime, delay.feedback, delay.wetDryMix) == (1, 50, 100))
    delay.wetDryMix = -1e30
    delay.delayTime = 1e300
    try offline.play(through: delay)
    #expect(try offline.render(3_000)[0] == Counter.samples(3_000))
  }

  @Test("a node states its component")
  func component() {
    let delay = AVAudioUnitDelay()
    #expect(delay.name == "AUDelay" && delay.manufacturerName == "Apple")
    #expect(delay.version == 0x0001_0000)
    #expect(delay.audioComponentDescription.componentSubType == kAudioUnitSubType_Delay)
    #expect(delay.numberOfInputs == 1 && delay.numberOfOutputs == 1)
  }

  private func value(_ id: AudioUnitParameterID, _ unit: AudioUnit) -> Float {
    var value: Float = .nan
    AudioUnitGetParameter(unit, id, kAudioUnitScope_Global, 0, &value)
    return value
  }
}
