// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import CPlugIns
import Foundation
import PlugInHosting
import Testing

/// Plug-ins that the machine has: their units give the samples of a plain host.
@Suite("Installed LADSPA plug-ins")
struct LADSPAInstalledTests {
  /// Libraries of several makers, as far as they are installed.
  private static let libraries = [
    "amp", "delay", "filter", "sine", "noise", "cmt", "amp_1181", "gverb_1216",
    "sc4_1882", "mbeq_1197", "flanger_1191", "fast_lookahead_limiter_1913", "tap_echo",
    "tap_reverb",
    "tap_limiter", "tap_tremolo", "triple_para_1204", "latency_1914", "xfade_1915", "plate_1423",
  ].map { "/usr/lib/ladspa/\($0).so" }.filter { FileManager.default.fileExists(atPath: $0) }

  /// Random samples of half the full scale.
  private static func noise(_ seed: UInt64, _ count: Int) -> [Float] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int32(truncatingIfNeeded: state >> 32)) / 0x1p32
    }
  }

  /// Plug-ins with random numbers of their own, and some that read memory that is not theirs.
  private static let random = [
    "noise", "grain", "pink", "sample", "dust", "ambisonic decoder", "logistic",
  ]

  @Test("a unit gives the same samples as a plain host with equal slices", arguments: libraries)
  func equal(library: String) throws {
    for plugIn in try PlugInFormat.ladspa.describe(libraryAt: library) {
      guard plugIn.refusals.isEmpty, let type = plugIn.codes?.type,
        type == kAudioUnitType_Effect || type == kAudioUnitType_Generator,
        !Self.random.contains(where: plugIn.name.lowercased().contains)
      else { continue }
      let slices = [512, 512, 64, 7, 512, 1, 512]
      let frames = slices.reduce(0, +)
      let input = plugIn.inputs.map { bus in
        bus.ports.map { Self.noise(UInt64($0 + 1), frames) }
      }
      let hosted = try TestPlugIn(.ladspa, at: library, plugIn.identifier)
      try hosted.start(
        input: input.first ?? [], sideChain: input.dropFirst().first ?? [])
      let count = plugIn.outputs[0].channelCount
      let output = try hosted.render(slices: slices, channels: count)
      let expected = try PlainHost(plugIn).run(input.flatMap { $0 }, slices)
      let equal = zip(output, expected).allSatisfy {
        zip($0, $1).allSatisfy { $0.bitPattern == $1.bitPattern || $1.isNaN }
      }
      #expect(equal, "\(plugIn.identifier)")
    }
  }
}

/// The smallest host of a LADSPA plug-in, with its default values.
private struct PlainHost {
  let plugIn: PlugInDescription
  let type: UnsafePointer<LADSPADescriptor>

  init(_ plugIn: PlugInDescription) throws {
    self.plugIn = plugIn
    let library = try #require(dlopen(plugIn.path, RTLD_NOW))
    let symbol = try #require(dlsym(library, "ladspa_descriptor"))
    let descriptor = unsafeBitCast(symbol, to: LADSPADescriptorFunction.self)
    let label = plugIn.identifier.split(separator: ":", maxSplits: 1)[1]
    let found = (0..<500).lazy.compactMap { descriptor($0) }.first {
      $0.pointee.label.map { String(cString: $0) } == String(label)
    }
    type = try #require(found)
  }

  func run(_ input: [[Float]], _ slices: [Int]) throws -> [[Float]] {
    let frames = slices.reduce(0, +)
    let instance = try #require(type.pointee.instantiate?(type, 48_000))
    defer { type.pointee.cleanup?(instance) }
    let controls = UnsafeMutablePointer<Float>.allocate(capacity: plugIn.parameters.count + 1)
    defer { controls.deallocate() }
    for (index, parameter) in plugIn.parameters.enumerated() {
      let factor: Float = parameter.defaultIsInRates ? 48_000 : 1
      let value = parameter.defaultValue * factor
      controls[index] = parameter.isInteger ? value.rounded() : value
      type.pointee.connect_port?(instance, UInt(parameter.port), controls + index)
    }
    let ports = plugIn.inputs.flatMap(\.ports) + plugIn.outputs.flatMap(\.ports)
    let memory = ports.map { _ in UnsafeMutablePointer<Float>.allocate(capacity: frames) }
    defer { for samples in memory { samples.deallocate() } }
    for (index, samples) in memory.enumerated() {
      samples.initialize(repeating: 0, count: frames)
      if index < input.count { samples.update(from: input[index], count: frames) }
      type.pointee.connect_port?(instance, UInt(ports[index]), samples)
    }
    // As a render of units does.
    let modes = floating_point_modes()
    defer { floating_point_restore(modes) }
    AudioUnitRenderEnvironment.flushDenormals()
    type.pointee.activate?(instance)
    var frame = 0
    for slice in slices {
      for (index, samples) in memory.enumerated() {
        type.pointee.connect_port?(instance, UInt(ports[index]), samples + frame)
      }
      type.pointee.run?(instance, UInt(slice))
      frame += slice
    }
    type.pointee.deactivate?(instance)
    return memory[plugIn.inputs.reduce(0) { $0 + $1.channelCount }...].map {
      Array(UnsafeBufferPointer(start: $0, count: frames))
    }
  }
}

/// The modes in which units render.
private enum AudioUnitRenderEnvironment {
  /// Denormal numbers count as zero from now on.
  static func flushDenormals() {
    #if arch(x86_64)
      var modes = floating_point_modes()
      modes.control |= 0x8040
      floating_point_restore(modes)
    #endif
  }
}
