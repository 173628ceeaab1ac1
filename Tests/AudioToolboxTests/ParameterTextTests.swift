// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@Suite("Texts of parameter values")
struct ParameterTextTests {
  @Test(
    "a small value of a wide range keeps its digits before the point",
    arguments: [(1, "1"), (12.4, "12"), (9_876, "9880"), (0, "0")] as [(Double, String)])
  func wideRange(value: Double, expected: String) throws {
    var codes = AudioComponentDescription(
      componentType: kAudioUnitType_Mixer, componentSubType: kAudioUnitSubType_AU3DMixerEmbedded,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    let component = try #require(AudioComponentFindNext(nil, &codes))
    var made: AudioUnit?
    #expect(AudioComponentInstanceNew(component, &made) == noErr)
    let unit = try #require(made)
    defer { AudioComponentInstanceDispose(unit) }
    // From 0 to 10,000 metres.
    var distance = AudioUnitParameter(
      mAudioUnit: unit, mParameterID: kSpatialMixerParam_Distance, mScope: kAudioUnitScope_Input,
      mElement: 0)
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      buffer.baseAddress.map { String(cString: AUParameterFormatValue(value, &distance, $0, 3)) }
    }
    #expect(text == expected)
  }
}
