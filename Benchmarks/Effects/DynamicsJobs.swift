// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

extension EffectJob {
  /// Dynamics on loud noise, which is compressed all the time, and distortion.
  static var dynamics: [EffectJob] {
    [
      EffectJob(
        name: "compressor", subType: kAudioUnitSubType_DynamicsProcessor, target: 2.0,
        peers: [
          .faust("co.compressor_stereo", "co.compressor_stereo(4,-20,0.005,0.1)"),
          .csound(
            "compress2",
            """
            a1 compress2 a0,a0,-90,-20,-10,4,0.005,0.1,0.01
            a2 compress2 a0,a0,-90,-20,-10,4,0.005,0.1,0.01
            """),
          .sox("compand 0.005,0.1 6:-70,-60,-20"),
          .ffmpeg("acompressor=threshold=0.1:ratio=4"),
        ]),
      EffectJob(
        name: "limiter", subType: kAudioUnitSubType_PeakLimiter, target: 2.5,
        peers: [
          .faust("co.limiter_1176_R4_stereo", "co.limiter_1176_R4_stereo"),
          .ffmpeg("alimiter=limit=0.5"),
        ]),
      EffectJob(
        name: "multi-band compressor", subType: kAudioUnitSubType_MultiBandCompressor,
        peers: [
          .sox([
            "mcompand", "0.005,0.1 6:-47,-40,-34,-34,-17,-33", "120",
            "0.003,0.05 6:-47,-40,-34,-34,-17,-33", "700",
            "0.000625,0.0125 6:-47,-40,-34,-34,-15,-33", "3000",
            "0.0001,0.025 6:-38,-31,-28,-28,-0,-25",
          ])
        ]),
      EffectJob(name: "distortion", subType: kAudioUnitSubType_Distortion),
    ]
  }
}
