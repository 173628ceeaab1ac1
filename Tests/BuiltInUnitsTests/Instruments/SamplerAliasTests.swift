// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioUnitCore
import Foundation
import MIDIMessages
import Testing

@testable import BuiltInUnits

@Suite("High keys of a sampler", .enabled(if: InstrumentHost.isAvailable))
struct SamplerAliasTests {
  /// A tone at key 60 with harmonics up to 20 kHz, which fall with their numbers.
  static let pitch = 261.3
  static let rate = 48_000.0
  static let frames = 144_000

  /// A sound file with samples; deleted at the end.
  private final class SoundFile {
    let path = NSTemporaryDirectory() + "alias-\(UUID().uuidString).wav"

    init(_ samples: [Double]) throws {
      var format = AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        mBytesPerPacket: 3, mFramesPerPacket: 1, mBytesPerFrame: 3, mChannelsPerFrame: 1,
        mBitsPerChannel: 24, mReserved: 0)
      var file: AudioFileID?
      try check(
        AudioFileCreateWithURL(
          URL(fileURLWithPath: path) as CFURL, kAudioFileWAVEType, &format, .eraseFile, &file))
      let bytes = samples.flatMap { sample -> [UInt8] in
        let word = Int32((sample * 8_388_607).rounded())
        return (0..<3).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      }
      var size = UInt32(bytes.count)
      try check(AudioFileWriteBytes(try #require(file), false, 0, &size, bytes))
      AudioFileClose(try #require(file))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  static func tone(_ pitch: Double, _ frames: Int) -> [Double] {
    let count = Int(20_000 / pitch)
    return (0..<frames).map { frame in
      (1...count).reduce(0) { sum, number in
        let angle = 2 * Double.pi * pitch * Double(number) * Double(frame) / rate
        return sum + 0.3 * sin(angle + Double(number * number)) / Double(number)
      }
    }
  }

  /// The sound of a key of an instrument with one zone, without reverberation.
  private func play(_ zone: SampleZone, _ key: Int) throws -> Spectrum {
    var zone = zone
    zone.keys = key...key
    let bank = try SampleBank([zone], name: "Tone")
    return Spectrum(try Self.play(.samples(bytes: bank.bytes, paths: []), key))
  }

  /// Frames of the sound of a key of the first instrument of a bank, without reverberation.
  static func play(_ source: BankSource, _ key: Int) throws -> Signal {
    let player = InstrumentPlayer()
    let (rack, _) = try SynthRack.make(source, sampleRate: Self.rate) { _ in 0 }
    player.publish(rack) { 0 }
    defer {
      player.publish(nil) { 0 }
      player.freeReplaced { _ in true }
    }
    var renderer = InstrumentRenderer(
      player, sampleRate: Self.rate, maximumFrames: 512, frameRatio: 1)
    defer { renderer.deallocate() }
    var controls = InstrumentRenderer.Controls()
    controls.reverbGain = 0
    #expect(player.send(NoteEvent(.noteOn, UInt8(key), 127, at: 0)))
    let memory = [[Float]](repeating: [Float](repeating: 0, count: 512), count: 2)
    var output: [Double] = []
    var (left, right) = (memory[0], memory[1])
    for _ in 0..<36 {
      left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          guard let one = left.baseAddress, let two = right.baseAddress else { return }
          withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 2) { list in
            guard let start = list.baseAddress else { return }
            (start[0], start[1]) = (one, two)
            let slice = Slice(channels: start, channelCount: 2, frameCount: 512)
            _ = withUnsafePointer(to: slice) { renderer.render($0, isFirst: true, controls) }
          }
        }
      }
      output += left.map { Double($0) }
    }
    return Signal(Array(output.dropFirst(2_048).prefix(16_384)), sampleRate: Self.rate)
  }

  /// The tone, which takes a while to make.
  static let longTone = tone(pitch, frames)

  static func harmonics(_ pitch: Double) -> [Double] {
    (1...max(1, Int(24_000 / pitch))).map { pitch * Double($0) }
  }

  @Test("alias at most by -60 dB", arguments: [60, 63, 67, 72, 79, 84, 91])
  func aliases(key: Int) throws {
    let file = try SoundFile(Self.longTone)
    let zone = SampleZone(path: file.path)
    let spectrum = try play(zone, key)
    let pitch = Self.pitch * pow(2, Double(key - 60) / 12)
    let fundamental = spectrum.amplitude(at: pitch)
    #expect(fundamental > 0.01)
    // Above 17 kHz a copy may end, or the sample's own highest harmonics come with their images.
    let other = spectrum.highest(except: Self.harmonics(pitch), below: 17_000)
    #expect(
      decibels(other.amplitude / fundamental) < -60,
      "\(decibels(other.amplitude / fundamental)) dB at \(other.frequency) Hz")
  }

  @Test("keep their brightness", arguments: [72, 84])
  func brightness(key: Int) throws {
    let file = try SoundFile(Self.longTone)
    let spectrum = try play(SampleZone(path: file.path), key)
    let pitch = Self.pitch * pow(2, Double(key - 60) / 12)
    let fundamental = spectrum.amplitude(at: pitch)
    for (index, frequency) in Self.harmonics(pitch).enumerated() where frequency < 16_000 {
      let level = decibels(spectrum.amplitude(at: frequency) / fundamental * Double(index + 1))
      #expect(abs(level) < 1, "\(level) dB at \(frequency) Hz")
    }
  }

  @Test("repeat their loops exactly", arguments: [72, 79, 84, 90], [183, 200, 9_151])
  func loops(key: Int, loop: Int) throws {
    // A whole number of periods in the loop, which is not a multiple of a copy's interval.
    let pitch = Self.rate * (Double(loop) / 183).rounded(.down) / Double(loop)
    let file = try SoundFile(Self.tone(pitch, 1_000 + loop))
    var zone = SampleZone(path: file.path)
    zone.loop = .frames(start: 1_000, end: 1_000 + loop)
    let spectrum = try play(zone, key)
    let played = pitch * pow(2, Double(key - 60) / 12)
    let fundamental = spectrum.amplitude(at: played)
    #expect(fundamental > 0.01)
    let other = spectrum.highest(except: Self.harmonics(played), below: 17_000)
    // Above two octaves FluidSynth's own interpolation is heard between the samples of a copy.
    #expect(
      decibels(other.amplitude / fundamental) < (key > 84 ? -50 : -60),
      "\(decibels(other.amplitude / fundamental)) dB at \(other.frequency) Hz")
  }

  @Test("need at most four times the memory of the sample, and little of its time")
  func memory() throws {
    let file = try SoundFile([Double](repeating: 0.1, count: 200_000))
    let bank = try SampleBank([SampleZone(path: file.path)], name: "Tone")
    #expect(bank.bytes.count > 3 * 200_000 * 3)
    #expect(bank.bytes.count < 5 * 200_000 * 3 + 10_000)
    var low = SampleZone(path: file.path)
    low.keys = 0...60
    #expect(try SampleBank([low], name: "Tone").bytes.count < 200_000 * 3 + 10_000)
  }
}

@Suite("A band-limited copy of a sample")
struct BandLimitedCopyTests {
  @Test("is chosen by half octaves above the sample's own pitch")
  func steps() {
    #expect([-1_200, 0, 1, 600, 601, 1_200, 2_400, 2_500].map(step) == [0, 0, 0, 1, 1, 2, 4, 5])
    #expect(step(100_000) == BandLimitedCopy.maximumStep)
    #expect(BandLimitedCopy.step(cents: 0, speed: 2) == 2)
    for wrong in [Double.nan, -.infinity] {
      #expect(BandLimitedCopy.step(cents: wrong, speed: 1) == 0)
    }
  }

  private func step(_ cents: Int) -> Int { BandLimitedCopy.step(cents: Double(cents), speed: 1) }

  @Test("passes what is below its band, and nothing above", arguments: 1...8)
  func response(step: Int) throws {
    let edge = 0.5 * pow(2, -Double(step) / 2)
    for (frequency, passes) in [(0.8 * edge, true), (1.01 * edge, false), (0.45, false)] {
      let sine = (0..<16_384).map { Float(0.5 * sin(2 * .pi * frequency * Double($0))) }
      let copy = try #require(BandLimitedCopy(sine, loop: nil, step: step))
      #expect(copy.samples.count == 16_384 >> BandLimitedCopy.octaves(step: step))
      let rest = copy.samples.dropFirst(copy.samples.count / 3).prefix(copy.samples.count / 3)
      let power = rest.reduce(0) { $0 + Double($1 * $1) } / Double(rest.count)
      let level = (2 * power).squareRoot()
      if passes { #expect(abs(level - 0.5) < 0.005) } else { #expect(level < 0.5e-4) }
    }
  }

  @Test(
    "has a loop whose frames continue with its first", arguments: [1, 4, 7], [1, 7, 96, 5_000])
  func loop(step: Int, length: Int) throws {
    var state: UInt32 = 1
    let noise = (0..<8_000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) / Float(1 << 31) * 0.5
    }
    let copy = try #require(BandLimitedCopy(noise, loop: 1_500..<1_500 + length, step: step))
    let loop = try #require(copy.loop)
    #expect(loop.upperBound == copy.samples.count)
    #expect(loop.count << BandLimitedCopy.octaves(step: step) % length == 0)
    // A copy with two rounds is the same.
    let twice = (0..<length).map { noise[1_500 + $0] }
    let other = try #require(
      BandLimitedCopy(
        Array(noise[..<(1_500 + length)]) + twice, loop: 1_500 + length..<1_500 + 2 * length,
        step: step))
    let rounds = (copy.samples.suffix(loop.count), other.loop.map { other.samples[$0] } ?? [])
    #expect(rounds.0.count == rounds.1.count)
    let peaks = (rounds.0.max() ?? 0, rounds.1.max() ?? 0)
    #expect(abs(peaks.0 - peaks.1) < 1e-4)
  }

  @Test("is not made of a few frames, nor beyond full scale")
  func limits() throws {
    #expect(BandLimitedCopy([1, 2, 3], loop: nil, step: 1) == nil)
    #expect(BandLimitedCopy([Float](repeating: 0, count: 2_000), loop: nil, step: 12) == nil)
    let square = (0..<8_000).map { $0 / 50 % 2 == 0 ? Float(1) : -1 }
    let copy = try #require(BandLimitedCopy(square, loop: nil, step: 2))
    #expect(copy.samples.allSatisfy { abs($0) <= 1 })
  }
}
