// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

extension MovedUnit {
  /// A sine of 1 kHz, for a loop.
  static let sine = (0..<480).map { Float(0.25 * sin(2 * .pi * Double($0) / 48)) }
  /// Noise below 3 kHz, for a loop.
  static let noise = HighBand.lowNoise(48_000, seed: 1)
}

/// How loud the clicks of a parameter may be, in dBFS.
enum MotionBars {
  static let sounds = ["sine": MovedUnit.sine, "noise": MovedUnit.noise]

  /// What gains that are set to random values must not exceed, and what nothing must.
  static let gains = -100.0
  static let everything = -80.0

  /// Parameters that do not reach these bars, and what they reach: they must not become worse.
  static let exceptions: [String: Double] = [
    "AUDistortion, decay, ramp": -60,
    "AUDistortion, decay, starts": -49,
    "AUDistortion, decay, steps": -49,
    "AUDistortion, decay, sweep": -52,
    "AUDistortion, decimation mix, ramp": -54,
    "AUDistortion, decimation mix, starts": -51,
    "AUDistortion, decimation mix, steps": -51,
    "AUDistortion, decimation mix, sweep": -54,
    "AUDistortion, soft clip gain, ramp": -47,
    "AUDistortion, soft clip gain, starts": -41,
    "AUDistortion, soft clip gain, steps": -41,
    "AUDistortion, soft clip gain, sweep": -47,
    "AUDynamicsProcessor, attack time, ramp": -59,
    "AUDynamicsProcessor, attack time, steps": -64,
    "AUDynamicsProcessor, attack time, sweep": -59,
    "AUDynamicsProcessor, expansion ratio, starts": -79,
    "AUDynamicsProcessor, expansion ratio, steps": -79,
    "AUDynamicsProcessor, expansion threshold, ramp": -70,
    "AUDynamicsProcessor, expansion threshold, starts": -74,
    "AUDynamicsProcessor, expansion threshold, steps": -77,
    "AUDynamicsProcessor, expansion threshold, sweep": -70,
    "AUDynamicsProcessor, head room, starts": -84,
    "AUDynamicsProcessor, head room, steps": -86,
    "AUDynamicsProcessor, overall gain, starts": -76,
    "AUDynamicsProcessor, overall gain, steps": -76,
    "AUDynamicsProcessor, release time, starts": -78,
    "AUDynamicsProcessor, release time, steps": -78,
    "AUDynamicsProcessor, threshold, starts": -77,
    "AUDynamicsProcessor, threshold, steps": -77,
    "AUGraphicEQ, 1.25k Hz, ramp": -78,
    "AUGraphicEQ, 10k Hz, starts": -82,
    "AUGraphicEQ, 10k Hz, steps": -73,
    "AUGraphicEQ, 16k Hz, starts": -91,
    "AUGraphicEQ, 16k Hz, steps": -81,
    "AUGraphicEQ, 5k Hz, steps": -95,
    "AUGraphicEQ, 6.3k Hz, starts": -84,
    "AUGraphicEQ, 6.3k Hz, steps": -74,
    "AUGraphicEQ, 800 Hz, ramp": -78,
    "AUGraphicEQ, 8k Hz, starts": -79,
    "AUGraphicEQ, 8k Hz, steps": -70,
    "AUMatrixReverb, dry/wet mix, starts": -92,
    "AUMatrixReverb, dry/wet mix, steps": -92,
    "AUMatrixReverb, filter frequency, ramp": -70,
    "AUMatrixReverb, filter frequency, starts": -70,
    "AUMatrixReverb, filter frequency, steps": -70,
    "AUMatrixReverb, filter frequency, sweep": -70,
    "AUMixer3D, distance of an input, ramp": -50,
    "AUMixer3D, enable of an input, starts": -68,
    "AUMixer3D, enable of an input, steps": -84,
    "AUMixer3D, gain of an input, ramp": -76,
    "AUMixer3D, gain of an input, starts": -79,
    "AUMixer3D, gain of an input, steps": -79,
    "AUMixer3D, gain of an output, ramp": -75,
    "AUMixer3D, maximum gain of an input, starts": -86,
    "AUMixer3D, maximum gain of an input, steps": -86,
    "AUMixer3D, minimum gain of an input, starts": -80,
    "AUMixer3D, minimum gain of an input, steps": -78,
    "AUMixer3D, playback rate of an input, starts": -41,
    "AUMixer3D, playback rate of an input, steps": -41,
    "AUMixer3D, playback rate of an input, sweep": -76,
    "AUMultibandCompressor, EQ 1, starts": -94,
    "AUMultibandCompressor, EQ 1, steps": -95,
    "AUMultibandCompressor, EQ 2, starts": -92,
    "AUMultibandCompressor, EQ 2, steps": -92,
    "AUMultibandCompressor, EQ 3, starts": -92,
    "AUMultibandCompressor, EQ 3, steps": -93,
    "AUMultibandCompressor, post-gain, starts": -88,
    "AUMultibandCompressor, post-gain, steps": -89,
    "AUMultibandCompressor, pre-gain, starts": -71,
    "AUMultibandCompressor, pre-gain, steps": -71,
    "AUMultibandCompressor, release time, steps": -75,
    "AUNBandEQ, global gain, ramp": -75,
    "AUNewTimePitch, pitch, ramp": -75,
    "AUNewTimePitch, pitch, starts": -23,
    "AUNewTimePitch, pitch, steps": -21,
    "AUNewTimePitch, pitch, sweep": -49,
    "AUParametricEQ, Q, ramp": -57,
    "AUPeakLimiter, pre-gain, starts": -89,
    "AUPeakLimiter, pre-gain, steps": -88,
    "AUReverb2, decay time at 0 Hz, steps": -97,
    "AUSpatialMixer, distance of an input, ramp": -50,
    "AUSpatialMixer, enable of an input, starts": -73,
    "AUSpatialMixer, enable of an input, steps": -84,
    "AUSpatialMixer, gain of an input, ramp": -76,
    "AUSpatialMixer, gain of an input, starts": -79,
    "AUSpatialMixer, gain of an input, steps": -79,
    "AUSpatialMixer, gain of an output, ramp": -75,
    "AUSpatialMixer, maximum gain of an input, starts": -86,
    "AUSpatialMixer, maximum gain of an input, steps": -86,
    "AUSpatialMixer, minimum gain of an input, starts": -80,
    "AUSpatialMixer, minimum gain of an input, steps": -81,
    "AUSpatialMixer, playback rate of an input, starts": -41,
    "AUSpatialMixer, playback rate of an input, steps": -41,
    "AUSpatialMixer, playback rate of an input, sweep": -76,
    "AUTimePitch, pitch, ramp": -75,
    "AUTimePitch, pitch, starts": -23,
    "AUTimePitch, pitch, steps": -21,
    "AUTimePitch, pitch, sweep": -49,
    "AUVarispeed, playback cents, ramp": -78,
    "AUVarispeed, playback cents, starts": -28,
    "AUVarispeed, playback cents, steps": -29,
    "AUVarispeed, playback cents, sweep": -47,
    "AUVarispeed, playback rate, starts": -24,
    "AUVarispeed, playback rate, steps": -23,
    "AUVarispeed, playback rate, sweep": -64,
    "ToneGenerator, frequency, steps": -37,
    "ToneGenerator, frequency, starts": -37,
    "ToneGenerator, fine frequency, steps": -94,
    "ToneGenerator, fine frequency, starts": -94,
  ]

  /// Whether a parameter is a gain, or switches sound on and off.
  private static func isGain(_ parameter: MovedParameter) -> Bool {
    [.decibels, .linearGain, .mixerFaderCurve1, .equalPowerCrossfade, .pan, .boolean]
      .contains(parameter.unit)
  }

  /// Measures the click of a parameter, and compares it with its bar.
  static func check(_ unit: MovedUnit.Case, _ index: Int, _ sound: String, _ kind: MotionKind)
    throws
  {
    let moved = try MovedUnit(unit, sound: try #require(sounds[sound]))
    let parameter = moved.parameters[index]
    let level = decibels(max(try moved.click(of: parameter, kind), 1e-12))
    let name = "\(unit.testDescription), \(parameter.title), \(kind)"
    let isSet = kind == .steps || kind == .starts
    let bar = exceptions[name] ?? (isSet && isGain(parameter) ? gains : everything)
    #expect(level <= bar, "\(name), \(sound)")
  }
}

/// How much the sound of a parameter may depend on slices, in decibels.
enum SliceBars {
  static let everything = -140.0

  /// Parameters that do not reach this bar, and what they reach: they must not become worse.
  static let exceptions: [String: Double] = [
    "AUDistortion, soft clip gain": -136,
    "AUMixer3D, azimuth of an input": -136,
    "AUMixer3D, enable of an input": -66,
    "AUMixer3D, gain of an input": -128,
    "AUMultibandCompressor, EQ 2": -133,
    "AUMultibandCompressor, crossover 1": -133,
    "AUMultibandCompressor, crossover 2": -124,
    "AUNewTimePitch, pitch": -106,
    "AUPeakLimiter, pre-gain": -133,
    "AUSpatialMixer, enable of an input": -71,
    "AUSpatialMixer, gain of an output": -130,
    "AUTimePitch, pitch": -106,
    "AUVarispeed, playback cents": -110,
    "AUVarispeed, playback rate": -116,
    "ToneGenerator, FM deviation": -90,
    "ToneGenerator, amplitude": -136,
    "ToneGenerator, channel phase": -133,
    "ToneGenerator, fine frequency": -100,
    "ToneGenerator, frequency": -103,
    "ToneGenerator, phase": -132,
  ]

  /// Measures how much the sound of a unit depends on slices while parameters move.
  static func check(_ unit: MovedUnit.Case, _ indices: [Int]) throws {
    let (title, differences) = try MovedUnit.differences(unit, indices, sound: MovedUnit.noise)
    let name = "\(unit.testDescription), \(title)"
    let bar = exceptions[name] ?? everything
    for (slice, difference) in zip([1, 7, 64], differences) {
      #expect(decibels(max(difference, 1e-12)) <= bar, "\(name), slices of \(slice)")
    }
  }
}
