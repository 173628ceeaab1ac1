// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Testing

@Suite("Sources of a mixer's inputs")
struct MixerSourceTests {
  private func feed(_ mixer: MixerHost, _ bus: Int) throws {
    // The sum of any inputs is exact.
    let source = HostCallback { moment in
      moment.fill { _, _ in Float(1 << bus) }
      return noErr
    }
    try mixer.unit.setCallback(source, bus: UInt32(bus))
  }

  private func endFeeding(_ mixer: MixerHost, _ bus: Int) throws {
    try mixer.unit.set(
      kAudioUnitProperty_SetRenderCallback, to: AURenderCallbackStruct(), kAudioUnitScope_Input,
      UInt32(bus))
  }

  @Test(
    "may come and go between slices that are otherwise equal, and exactly those that are there sound",
    arguments: [
      (kAudioUnitSubType_MultiChannelMixer, 12), (kAudioUnitSubType_MultiChannelMixer, 1),
      (kAudioUnitSubType_StereoMixer, 12),
    ])
  func comeAndGo(subType: OSType, inputs: Int) throws {
    let mixer = try MixerHost(subType, inputs: inputs)
    try mixer.initialize()
    var fed: Set<Int> = []
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    for _ in 0..<600 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      // Most slices are like the one before.
      if state % 3 == 0 {
        let bus = Int(state >> 8) % inputs
        if fed.remove(bus) != nil {
          try endFeeding(mixer, bus)
        } else {
          try feed(mixer, bus)
          fed.insert(bus)
        }
      }
      let sum = Float(fed.reduce(0) { $0 + 1 << $1 })
      let samples = try mixer.render(16, slices: [16])[0].samples
      guard samples.allSatisfy({ Float($0) == sum }) else {
        Issue.record("\(samples) from \(fed.sorted())")
        return
      }
    }
  }
}
