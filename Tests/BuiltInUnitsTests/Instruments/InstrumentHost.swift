// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@testable import BuiltInUnits

/// An instrument unit that is played by MIDI.
struct InstrumentHost {
  let host: MixerHost
  var unit: AudioUnit { host.unit.handle }

  /// Whether FluidSynth and a bank are installed.
  static let isAvailable =
    (try? BankFile.findLibrary()) != nil && (try? BankFile.defaultPath()) != nil

  static let kinds = [
    kAudioUnitSubType_DLSSynth, kAudioUnitSubType_MIDISynth, kAudioUnitSubType_Sampler,
  ]
  .map { OSType($0) }

  init(
    _ subType: OSType = kAudioUnitSubType_DLSSynth, rate: Double = 48_000, dry: Bool = true,
    initializes: Bool = true
  ) throws {
    host = try MixerHost(subType, type: kAudioUnitType_MusicDevice, sampleRate: rate)
    if dry, subType == kAudioUnitSubType_DLSSynth {
      try host.unit.set(kMusicDeviceProperty_UsesInternalReverb, to: UInt32(0))
    }
    if initializes { try host.initialize() }
  }

  func send(_ status: UInt32, _ first: UInt32 = 0, _ second: UInt32 = 0, at frame: UInt32 = 0)
    throws
  {
    try check(MusicDeviceMIDIEvent(unit, status, first, second, frame), "MusicDeviceMIDIEvent")
  }

  /// The left channel of the next frames.
  func render(_ frames: Int, slices: [Int] = [512]) throws -> Signal {
    Signal(try host.render(frames, slices: slices)[0].samples, sampleRate: host.sampleRate)
  }

  /// Selects an organ: a steady tone without vibrato at its beginning.
  func chooseOrgan(_ channel: UInt32 = 0) throws { try send(0xc0 | channel, 19) }
}

/// The frequency of a steady sound near a guess, from the phases of two parts of it.
func frequency(_ signal: Signal, near guess: Double) -> Double {
  let rate = signal.sampleRate
  let half = signal.count / 2
  func phase(_ start: Int) -> Double {
    var (sine, cosine) = (0.0, 0.0)
    for frame in 0..<half {
      let window = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / Double(half))
      let angle = 2 * .pi * guess * Double(start + frame) / rate
      sine += signal.samples[start + frame] * window * sin(angle)
      cosine += signal.samples[start + frame] * window * cos(angle)
    }
    return atan2(cosine, sine)
  }
  var turn = phase(half / 16) - phase(0)
  turn -= (turn / (2 * .pi)).rounded() * 2 * .pi
  return guess + turn / (2 * .pi) * rate / Double(half / 16)
}

func cents(_ frequency: Double, from reference: Double) -> Double {
  1200 * log2(frequency / reference)
}

/// Whether two sounds are equal except in the first 64 frames of a note, where FluidSynth fades a
/// voice from the gain of the previous one.
func areAlike(_ one: [Double], _ other: [Double]) -> Bool {
  let pairs = zip(one, other).dropFirst(64)
  let difference = pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  return difference < 1e-3 * pairs.reduce(0) { $0 + $1.0 * $1.0 }
}
