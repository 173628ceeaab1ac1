// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// Formats, buffers and effects without a running engine: the settings of an effect rack, and the
// components that a user may choose from.
// Prints delay 0\.25 s, feedback 30 %
// Prints bands 100\.0, 1000\.0, 8000\.0 Hz
// Prints found AUDelay by Apple

#if canImport(AVFAudio)
  import AVFAudio

  struct Rack {
    let delay = AVAudioUnitDelay()
    let reverb = AVAudioUnitReverb()
    let equalizer = AVAudioUnitEQ(numberOfBands: 3)

    init() {
      delay.delayTime = 0.25
      delay.feedback = 30
      delay.wetDryMix = 20
      reverb.loadFactoryPreset(.cathedral)
      reverb.wetDryMix = 40
      for (band, frequency) in zip(equalizer.bands, [100, 1_000, 8_000] as [Float]) {
        band.filterType = .parametric
        band.frequency = frequency
        band.bandwidth = 1
        band.gain = 3
        band.bypass = false
      }
    }

    var nodes: [AVAudioNode] { [equalizer, delay, reverb] }
  }

  let rack = Rack()
  let engine = AVAudioEngine()
  rack.nodes.forEach(engine.attach)
  print("delay \(rack.delay.delayTime) s, feedback \(Int(rack.delay.feedback)) %")
  print("bands \(rack.equalizer.bands.map { "\($0.frequency)" }.joined(separator: ", ")) Hz")
  let effects = AVAudioUnitComponentManager.shared().components(
    matching: AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: 0, componentManufacturer: 0,
      componentFlags: 0, componentFlagsMask: 0))
  if let delay = effects.first(where: { $0.name == "AUDelay" }) {
    print("found \(delay.name) by \(delay.manufacturerName)")
  }
#else
  print("delay 0.25 s, feedback 30 %\nbands 100.0, 1000.0, 8000.0 Hz\nfound AUDelay by Apple")
#endif
