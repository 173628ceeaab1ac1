// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

extension EffectJob {
  private static let bands = (0..<10).map { 60 * pow(2, 0.8 * Double($0)) }

  /// A parametric equaliser of ten bands: this library, sox, ffmpeg and csound in double precision,
  /// Faust in single precision.
  static var filters: [EffectJob] {
    var parameters: [AudioUnitParameterID: Float] = [:]
    for (band, frequency) in bands.enumerated() {
      let band = AudioUnitParameterID(band)
      parameters[kAUNBandEQParam_BypassBand + band] = 0
      parameters[kAUNBandEQParam_Frequency + band] = Float(frequency)
      parameters[kAUNBandEQParam_Bandwidth + band] = 1.388
      parameters[kAUNBandEQParam_Gain + band] = 3
    }
    let chain = bands.map { "fi.peak_eq_cq(3,\($0),1)" }.joined(separator: ":")
    return [
      EffectJob(
        name: "equaliser of ten bands", subType: kAudioUnitSubType_NBandEQ, parameters: parameters,
        target: 3.3,
        peers: [
          .faust("fi.peak_eq_cq", "eq,eq with { eq = \(chain); }"),
          .csound(
            "pareq",
            (["a1=a0", "a2=a0"]
              + bands.flatMap { frequency in
                ["a1 pareq a1,\(frequency),1.4125,1", "a2 pareq a2,\(frequency),1.4125,1"]
              }).joined(separator: "\n")),
          .ffmpeg(bands.map { "equalizer=f=\($0):t=q:w=1:g=3" }.joined(separator: ",")),
          .sox(bands.map { "equalizer \($0) 1q 3" }.joined(separator: " ")),
        ])
    ]
  }
}
