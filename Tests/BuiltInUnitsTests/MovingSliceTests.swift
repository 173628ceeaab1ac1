// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioUnitCore
@testable import BuiltInUnits
import Foundation
import Testing

/// Units whose parameters are set and ramped while they sound: the output does not depend on the
/// slices.
@Suite("Units whose parameters move")
struct MovingSliceTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let definition: UnitDefinition
    var testDescription: String { definition.identity.name }
  }

  /// All units except the one that joins pieces where they are most similar: during a ramp up to 32
  /// times the rate, the last bit may change where it joins them.
  static let cases = Catalogue.kernels.filter {
    $0.identity.subType != kAudioUnitSubType_AUiPodTimeOther
  }.map(Case.init)
  static let spatial = cases.filter {
    [kAudioUnitSubType_3DMixer, kAudioUnitSubType_SpatialMixer].contains(
      $0.definition.identity.subType)
  }

  /// Frames between changes: a multiple of every slice length.
  private static let period = 1_920

  /// A parameter with its scope and info.
  private struct Found {
    var scope: AudioUnitScope
    var id: AudioUnitParameterID
    var info: AudioUnitParameterInfo
  }

  private func parameters(of mixer: MixerHost) throws -> [Found] {
    let scopes = [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output]
    return try scopes.flatMap { scope -> [Found] in
      let ids = try? mixer.unit.getArray(
        kAudioUnitProperty_ParameterList, of: AudioUnitParameterID(0), scope, 0)
      return try (ids ?? []).compactMap { id -> Found? in
        let info = try mixer.unit.get(
          kAudioUnitProperty_ParameterInfo, as: AudioUnitParameterInfo(), scope, id)
        if let name = info.__cfNameString { Unmanaged<AnyObject>.fromOpaque(name).release() }
        return info.flags.contains(.flag_IsWritable) ? Found(scope: scope, id: id, info: info) : nil
      }
    }
  }

  private func value(_ found: Found, _ part: Float) -> Float {
    let (low, high) = (found.info.minValue, found.info.maxValue)
    if found.info.flags.contains(.flag_DisplayLogarithmic), low > 0 {
      return low * pow(min(high, 20_000) / low, part)
    }
    // The ranges of mixers' gains are far larger than usual values.
    let value = max(low, -40) + part * (min(high, 40) - max(low, -40))
    return found.info.unit == .indexed || found.info.unit == .boolean ? value.rounded() : value
  }

  /// Renders a unit whose parameters are all set, and ramped if they can, by turns; returns the
  /// channels one after the other.
  private func run(_ unit: Case, slice: Int, algorithm: UInt32? = nil) throws -> Signal {
    let identity = unit.definition.identity
    let mixer = try MixerHost(
      identity.subType, type: identity.type, manufacturer: identity.manufacturer)
    let inputs = try mixer.unit.get(
      kAudioUnitProperty_ElementCount, as: UInt32(0), kAudioUnitScope_Input)
    for bus in 0..<min(inputs, 2) {
      if let algorithm {
        try mixer.unit.set(
          kAudioUnitProperty_SpatializationAlgorithm, to: algorithm, kAudioUnitScope_Input, bus)
      }
      // A mono input is placed, a stereo input passes through.
      try mixer.feed(Int(bus), channels: algorithm == nil ? 2 : 1) { channel, frame in
        Float(0.2 * sin(Double(frame) * (0.03 + 0.05 * Double(bus) + 0.02 * Double(channel))))
      }
    }
    try mixer.initialize()
    let all = try parameters(of: mixer)
    var output = Signal([Double]())
    for step in 0..<6 {
      for (index, found) in all.enumerated() {
        let part = Float((step * 5 + index * 3) % 7) / 7 + 0.05
        if step % 2 == 1, found.info.flags.contains(.flag_CanRamp) {
          try mixer.schedule(
            found.id, from: value(found, 1 - part), to: value(found, part), at: 0,
            frames: Self.period - 240, found.scope)
        } else {
          try mixer.set(found.id, value(found, part), found.scope)
        }
      }
      for channel in try mixer.render(Self.period, slices: [slice]) {
        output.samples += channel.samples
      }
    }
    return output
  }

  @Test(
    "sound the same in slices of any size, to a millionth", arguments: cases, [64, 480, 1_920])
  func slices(unit: Case, slice: Int) throws {
    // Units whose maximum is smaller render no larger slices.
    let longest = min(slice, unit.definition.maximumFramesPerSlice / 64 * 64)
    let (one, other) = (try run(unit, slice: longest), try run(unit, slice: 96))
    #expect(one.peak.isFinite)
    let difference = one.largestDifference(from: other)
    let level = decibels(difference / max(other.peak, 0.1))
    // Rounding errors add up in the phase of a tone whose frequency and deviation ramp, and in the
    // position of a converter whose rate ramps.
    let bars = [kAudioUnitType_Generator: -90.0, kAudioUnitType_FormatConverter: -100]
    #expect(level < bars[unit.definition.identity.type] ?? -120)
  }

  @Test(
    "place sources the same in slices of any size, with every algorithm", arguments: spatial,
    [0, 1, 2, 4, 6] as [UInt32])
  func places(unit: Case, algorithm: UInt32) throws {
    let reference = try run(unit, slice: 96, algorithm: algorithm)
    #expect(reference.peak > 0.001)
    for slice in [64, 320, 960] {
      let other = try run(unit, slice: slice, algorithm: algorithm)
      let difference = reference.largestDifference(from: other)
      #expect(decibels(difference / max(reference.peak, 0.1)) < -120)
    }
  }
}
