// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

extension GraphDescriptionTests {
  @Test("values may be written with units and note names")
  func quantities() throws {
    let (status, made) = build(
      """
      {
        "nodes": {
          "tone": { "unit": "augn tone", "parameters": { "frequency": "A3", "phase": "90°" } },
          "low": { "unit": "lpas", "parameters": { "cutoff": "1.5 kHz", "resonance": "-6dB" } },
          "echo": { "unit": "dely", "parameters": { "delay time": "250ms", "dry/wet": "20%" } },
          "mixer": {
            "unit": "mcmx",
            "inputs": [{
              "format": { "sampleRate": "44.1k" },
              "parameters": { "volume": "-20dB", "enable": "off" }
            }]
          }
        }
      }
      """)
    #expect(status == noErr, "\(explanation())")
    let graph = try #require(made)
    defer { DisposeAUGraph(graph) }
    func global(_ node: UInt32, _ id: AudioUnitParameterID) throws -> Float {
      parameter(try unit(node, in: graph), id, kAudioUnitScope_Global, 0)
    }
    #expect(try global(0, kToneGeneratorParam_Frequency) == 220)
    #expect(try global(1, kLowPassParam_CutoffFrequency) == 1_500)
    #expect(try global(1, kLowPassParam_Resonance) == -6)
    #expect(try global(2, kDelayParam_DelayTime) == 0.25)
    #expect(try global(2, kDelayParam_WetDryMix) == 20)
    let mixer = try unit(3, in: graph)
    let volume = parameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0)
    #expect(abs(volume - 0.1) < 1e-7)
    #expect(parameter(mixer, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, 0) == 0)
    // Saved values are plain numbers.
    #expect(try describe(graph).contains("\"frequency\": 220"))
  }
}
