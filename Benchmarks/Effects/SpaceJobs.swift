// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing

extension EffectJob {
  /// Delays and reverberations.
  static var space: [EffectJob] { delays + reverberations }

  /// Echoes after half a second, at half the level: with a delay of whole frames, without and with
  /// the low-pass, and with a fractional delay.
  private static var delays: [EffectJob] {
    [
      delay("delay, whole frames, no filter", 24_000, cutoff: 0.5, target: 0.15, peers: true),
      delay("delay, fraction of a frame, no filter", 24_000.5, cutoff: 0.5, target: 0.4),
      delay("delay, whole frames, low-pass at 15 kHz", 24_000, cutoff: 15_000 / 48_000),
    ]
  }

  private static func delay(
    _ name: String, _ frames: Double, cutoff: Double, target: Double? = nil, peers: Bool = false
  ) -> EffectJob {
    EffectJob(
      name: name, subType: kAudioUnitSubType_Delay,
      parameters: [
        kDelayParam_DelayTime: Float(frames / 48_000),
        kDelayParam_LopassCutoff: Float(cutoff * 48_000),
      ],
      kernel: {
        var delay = FeedbackDelay(channelCount: 2, longestDelay: 96_000, sampleRate: 48_000)
        delay.set(
          .init(delay: frames, feedback: 0.5, dry: 0.707, wet: 0.707, cutoff: cutoff))
        return { delay.render($0, offset: 0, count: $1) }
      },
      target: target,
      peers: !peers
        ? []
        : [
          .faust(
            "de.delay with feedback", "d,d with { d = + ~ (de.delay(65536,24000)*0.5); }"),
          .scsynth("CombN") { synth, noise in
            noise.flatMap {
              synth.add("CombN", [$0, synth.constant(1), synth.constant(0.5), synth.constant(3)])
            }
          },
          .csound(
            "delayr and delayw",
            """
            a1 delayr 0.5
            delayw a0+a1*0.5
            a2 delayr 0.5
            delayw a0+a2*0.5
            """),
          .sox("echo 0.8 0.9 500 0.5"),
          .ffmpeg("aecho=0.8:0.9:500:0.5"),
        ])
  }

  /// A medium-sized room, compared with the peers' own reverberations.
  private static var reverberations: [EffectJob] {
    [
      EffectJob(
        name: "reverberation", subType: kAudioUnitSubType_Reverb2,
        parameters: [kReverb2Param_DryWetMix: 50],
        kernel: {
          var room = LateReverberation(longest: 1, sampleRate: 48_000)
          var mixer = WetMixer(sampleRate: 48_000)
          room.set(.init())
          mixer.set(dry: 0.707, wet: 0.707)
          return { channels, frames in
            room.render(
              channels[0], channels[1], into: mixer.left, mixer.right, count: frames)
            mixer.mix(into: channels[0], channels[1], count: frames)
          }
        },
        target: 5,
        peers: [
          .faust("re.zita_rev1_stereo", "re.zita_rev1_stereo(60,200,6000,3,2,48000)"),
          .faust("re.stereo_freeverb", "re.stereo_freeverb(0.84,0.5,0.2,23)"),
          .scsynth("FreeVerb2") { synth, noise in
            synth.add(
              "FreeVerb2", noise + [synth.constant(0.5), synth.constant(0.8), synth.constant(0.5)],
              outputs: 2)
          },
          .csound("reverbsc", "a1,a2 reverbsc a0,a0,0.85,10000"),
          .sox("reverb 60"),
        ])
    ]
  }
}
