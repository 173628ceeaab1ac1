// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioSupport
import AudioUnitCore
import Testing

/// A kernel that inverts its input and delays it by `latency` frames.
struct LateInverse: EffectKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Effect, code("late"), "Late", manufacturer: maker)
  static let channels: [AUChannelInfo]? = [
    .init(inChannels: 1, outChannels: 2), .init(inChannels: -1, outChannels: -1),
  ]
  static let latency = 5

  /// The last frames of each channel, and the position of the oldest.
  private let past: UnsafeMutableBufferPointer<Float>
  private var oldest = 0

  init(_ setup: KernelSetup) {
    past = .allocate(capacity: Self.latency * setup.format.channelCount)
    past.initialize(repeating: 0)
  }

  deinit { past.deallocate() }

  var latencyFrames: Int { Self.latency }

  mutating func reset() {
    for index in past.indices { past[index] = 0 }
    oldest = 0
  }

  mutating func render(_ slice: Slice, _ values: Values) {
    for index in 0..<slice.frameCount {
      for channel in 0..<slice.channelCount {
        let position = channel * Self.latency + oldest
        let late = past[position]
        past[position] = -slice[channel][index]
        slice[channel][index] = late
      }
      oldest = (oldest + 1) % Self.latency
    }
  }
}

@Suite("Bypass")
struct BypassTests {
  private static let rate = 44_100
  private static let fadeFrames = rate / 100

  private func input(_ frame: Int) -> Float { frame < 0 ? 0 : Float((frame * 7919) % 101) / 101 }

  private func host(isBypassed: Bool = false, isInPlace: Bool = true) throws -> Host {
    let host = try Host(.late)
    #expect(host.feed(.signal { Float(($0 * 7919) % 101) / 101 }) == noErr)
    if isBypassed { #expect(bypass(host, true)) }
    #expect(host.set(kAudioUnitProperty_InPlaceProcessing, UInt32(isInPlace ? 1 : 0)) == noErr)
    #expect(host.initialize() == noErr)
    return host
  }

  private func bypass(_ host: Host, _ isOn: Bool) -> Bool {
    host.set(kAudioUnitProperty_BypassEffect, UInt32(isOn ? 1 : 0)) == noErr
  }

  /// Renders up to `end` in slices of varying length.
  private func render(_ host: Host, _ frames: Range<Int>, slice: Int = 64) -> [Float] {
    var samples: [Float] = []
    while samples.count < frames.count {
      let start = frames.lowerBound + samples.count
      samples += host.render(min(slice, frames.upperBound - start), at: Double(start))[1]
    }
    return samples
  }

  @Test(
    "passes its input with the latency of the effect", arguments: [1, 7, 64, 1000], [true, false])
  func latency(slice: Int, isInPlace: Bool) throws {
    let host = try host(isBypassed: true, isInPlace: isInPlace)
    let expected = (0..<3000).map { input($0 - LateInverse.latency) }
    #expect(render(host, 0..<3000, slice: slice) == expected)
    #expect(try host.get(kAudioUnitProperty_Latency, as: Float64.self) == 5.0 / 44_100)
  }

  /// The part of the input in the output, some frames after the beginning of a crossfade to it.
  private func weight(_ frame: Int) -> Float {
    let part = Float(min(max(frame, 0), Self.fadeFrames)) / Float(Self.fadeFrames)
    return part * part * part * (10 - 15 * part + 6 * part * part)
  }

  @Test("crossfades smoothly in both directions", arguments: [5, 64, 1000], [true, false])
  func fade(slice: Int, isInPlace: Bool) throws {
    let host = try host(isInPlace: isInPlace)
    var samples = render(host, 0..<1000, slice: slice)
    #expect(bypass(host, true))
    samples += render(host, 1000..<2000, slice: slice)
    #expect(bypass(host, false))
    samples += render(host, 2000..<3000, slice: slice)
    for frame in samples.indices {
      let dry = input(frame - LateInverse.latency)
      let (fadeOut, fadeIn) = (weight(frame - 999), weight(frame - 1999))
      #expect(abs(samples[frame] - (-dry + 2 * dry * (fadeOut - fadeIn))) < 1e-5, "frame \(frame)")
    }
    #expect(samples[..<1000].elementsEqual((0..<1000).map { -input($0 - 5) }))
    #expect(samples[1500..<2000].elementsEqual((1500..<2000).map { input($0 - 5) }))
    #expect(samples[2500...].elementsEqual((2500..<3000).map { -input($0 - 5) }))
  }

  @Test("reverses a crossfade from its current position when it is switched off early")
  func turn() throws {
    let host = try host()
    var samples = render(host, 0..<100)
    #expect(bypass(host, true))
    samples += render(host, 100..<200)
    #expect(bypass(host, false))
    samples += render(host, 200..<400)
    let furthest = weight(100)
    #expect(abs(samples[199] + input(194) * (1 - 2 * furthest)) < 1e-5)
    #expect(samples[300...].elementsEqual((300..<400).map { -input($0 - 5) }))
  }

  @Test("keeps the effect's signal history: afterwards it sounds as if there had been no bypass")
  func past() throws {
    func run(_ isBypassed: Bool) throws -> [Float] {
      let host = try Host(.echo)
      #expect(host.feed(.signal { Float(($0 * 7919) % 101) / 101 }) == noErr)
      #expect(host.initialize() == noErr)
      _ = host.render(1000, at: 0)
      #expect(bypass(host, isBypassed))
      _ = host.render(1000, at: 1000)
      #expect(bypass(host, false))
      _ = host.render(500, at: 2000)
      return host.render(500, at: 2500)[0]
    }
    #expect(try run(true) == run(false))
  }

  @Test("applies without a crossfade after a reset")
  func reset() throws {
    let host = try host()
    _ = host.render(64, at: 0)
    #expect(bypass(host, true))
    #expect(host.reset() == noErr)
    let rendered = host.render(64, at: 64)[0]
    #expect(rendered == (64..<128).map { $0 < 69 ? 0 : input($0 - 5) })
  }

  @Test("NaN and infinite samples do not persist", arguments: [Float.nan, .infinity, -.infinity])
  func notFinite(value: Float) throws {
    let host = try Host(.late)
    #expect(host.feed(.signal { $0 == 70 ? value : 0.5 }) == noErr)
    #expect(host.initialize() == noErr)
    let samples = render(host, 0..<256)
    #expect(samples.allSatisfy { $0.isFinite })
    #expect(samples[..<5].allSatisfy { $0 == 0 } && samples[5..<64].allSatisfy { $0 == -0.5 })
    #expect(samples[64..<133].allSatisfy { $0 == 0 }, "the slice, and the kernel's cleared history")
    #expect(samples[133...].allSatisfy { $0 == -0.5 })
  }

  @Test("copies the last channel to additional ones, bypassed or not", arguments: [true, false])
  func moreChannels(isBypassed: Bool) throws {
    let host = try Host(.late)
    #expect(host.setFormat(kAudioUnitScope_Input, channels: 1) == noErr)
    #expect(host.feed(.signal { Float(($0 * 7919) % 101) / 101 }) == noErr)
    #expect(bypass(host, isBypassed))
    #expect(host.initialize() == noErr)
    let rendered = host.render(64)
    let expected = (0..<64).map { (isBypassed ? 1 : -1) * input($0 - 5) }
    #expect(rendered[0] == expected && rendered[1] == expected)
  }
}
