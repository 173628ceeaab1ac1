// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Foundation
import PlugInHosting
import Testing

/// All plug-ins that the machine has, each in a process of its own: against a plain host in C, and against
/// themselves.
@Suite("Installed plug-ins")
struct InstalledPlugInTests {
  private static let files = InstalledPlugIns.files

  /// The lengths of the slices, of any size.
  private static let slices = [512, 512, 64, 7, 512, 1, 512, 1_024]

  @Test("a unit gives the samples of a plain host in equal slices, to the bit", arguments: files)
  func equal(file: InstalledPlugIns.File) throws {
    for plugIn in try file.plugIns where !plugIn.outputs.isEmpty {
      guard let expected = try SmallHost.render(plugIn, Self.slices) else { continue }
      let unit = try unit(plugIn)
      // Work in another thread is done in step.
      try unit.set(kAudioUnitProperty_OfflineRender, to: 1 as UInt32)
      let output = try unit.render(plugIn, Self.slices)
      let isEqual = zip(output, expected).allSatisfy {
        zip($0, $1).allSatisfy { $0.bitPattern == $1.bitPattern }
      }
      #expect(isEqual && output.count == expected.count, "\(plugIn.identifier)")
    }
  }

  @Test("a saved state gives another instance all values, and the same state", arguments: files)
  func state(file: InstalledPlugIns.File) throws {
    for plugIn in try file.plugIns {
      let first = try unit(plugIn)
      let writable = try plugIn.parameters.filter { parameter in
        parameter.purpose == .value && !parameter.isReadOnly
      }.map { ($0.id, try first.info($0.id)) }
      for (id, info) in writable { try first.set(id, to: info.otherValue) }
      let saved = try first.state
      let second = try unit(plugIn)
      try second.set(kAudioUnitProperty_ClassInfo, to: saved as NSDictionary as CFPropertyList?)
      for (id, info) in writable {
        #expect(try second.value(id) == info.otherValue, "\(plugIn.identifier): \(info.title)")
      }
      #expect(try second.state == saved, "\(plugIn.identifier)")
    }
  }

  private func unit(_ plugIn: PlugInDescription) throws -> AudioTestSupport.HostedUnit {
    try TestPlugIn.$isApart.withValue(true) {
      try TestPlugIn(plugIn.format, at: plugIn.path, plugIn.identifier).unit
    }
  }
}

/// The plug-ins in the folders of Debian's packages.
enum InstalledPlugIns {
  /// A library, or the folder of a bundle.
  struct File: Sendable, CustomTestStringConvertible {
    let format: PlugInFormat
    let path: String
    var testDescription: String { "\(path.split(separator: "/").last ?? "")" }

    /// Its plug-ins that can be used.
    var plugIns: [PlugInDescription] {
      get throws {
        try format.describe(libraryAt: path).filter { plugIn in
          plugIn.refusals.isEmpty && plugIn.codes != nil
            && !Self.broken.contains(plugIn.identifier)
        }
      }
    }

    /// Their libraries lack symbols, so that no host can open them.
    private static let broken = ["mbeq", "pitchScaleHQ"].map {
      "http://plugin.org.uk/swh-plugins/\($0)"
    }
  }

  static let files: [File] = [
    (PlugInFormat.ladspa, "/usr/lib/ladspa", ".so"), (.lv2, "/usr/lib/lv2", ".lv2"),
    (.clap, "/usr/lib/clap", ".clap"),
  ].flatMap { format, folder, suffix in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { $0.hasSuffix(suffix) }.map {
      File(format: format, path: "\(folder)/\($0)" + (format == .lv2 ? "/" : ""))
    }
  }
}

extension PlugInDescription {
  /// The channels of buses as a plain host sees them: in the order of the ports.
  func channels(_ buses: [PlugInBus]) -> [(bus: Int, channel: Int)] {
    let all = buses.enumerated().flatMap { bus, one in
      one.ports.enumerated().map { (port: $1, bus: bus, channel: $0) }
    }
    // The ports of CLAP have channels of their own.
    let sorted = format == .clap ? all : all.sorted { $0.port < $1.port }
    return sorted.map { ($0.bus, $0.channel) }
  }
}

extension AudioUnitParameterInfo {
  /// A value that is not the default, and that hosts can set.
  fileprivate var otherValue: Float {
    let middle = (minValue / 2 + maxValue / 2)
    let isWhole = unit == .boolean || unit == .indexed
    let value = isWhole ? middle.rounded() : middle
    return value == defaultValue ? maxValue : value
  }

  fileprivate var title: String {
    withUnsafeBytes(of: name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension AudioTestSupport.HostedUnit {
  fileprivate func info(_ id: AudioUnitParameterID) throws -> AudioUnitParameterInfo {
    try get(
      kAudioUnitProperty_ParameterInfo, as: AudioUnitParameterInfo(), kAudioUnitScope_Global, id)
  }

  fileprivate func set(_ id: AudioUnitParameterID, to value: Float) throws {
    try check(AudioUnitSetParameter(handle, id, kAudioUnitScope_Global, 0, value, 0))
  }

  fileprivate func value(_ id: AudioUnitParameterID) throws -> Float {
    var value: Float = 0
    try check(AudioUnitGetParameter(handle, id, kAudioUnitScope_Global, 0, &value))
    return value
  }

  fileprivate var state: NSDictionary {
    get throws {
      let state = try get(kAudioUnitProperty_ClassInfo, as: nil as Unmanaged<CFPropertyList>?)
      return try #require(state?.takeRetainedValue() as? NSDictionary)
    }
  }

  /// Renders the noise of the plain host: the channels of all outputs.
  fileprivate func render(_ plugIn: PlugInDescription, _ slices: [Int]) throws -> [[Float]] {
    let frames = slices.reduce(0, +)
    let places = plugIn.channels(plugIn.inputs)
    for (bus, one) in plugIn.inputs.enumerated() {
      let signals = one.ports.indices.map { channel in
        let index = places.firstIndex { $0 == (bus, channel) } ?? 0
        return SmallHost.noise(UInt64(index + 1), frames)
      }
      try setFormat(
        .linear(48_000, channels: UInt32(signals.count)), kAudioUnitScope_Input, UInt32(bus))
      let callback = HostCallback { moment in
        moment.fill { channel, frame in signals[channel][frame] }
        return noErr
      }
      try setCallback(callback, bus: UInt32(bus))
    }
    for (bus, one) in plugIn.outputs.enumerated() {
      try setFormat(
        .linear(48_000, channels: UInt32(one.channelCount)), kAudioUnitScope_Output, UInt32(bus))
    }
    try set(kAudioUnitProperty_MaximumFramesPerSlice, to: SmallHost.maximumFrames)
    try initialize()
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    var output = plugIn.outputs.map { [[Float]](repeating: [], count: $0.channelCount) }
    for slice in slices {
      for bus in output.indices {
        try render(slice, UInt32(bus), &time, into: &output[bus])
      }
      time.mSampleTime += Double(slice)
    }
    return plugIn.channels(plugIn.outputs).map { output[$0.bus][$0.channel] }
  }

  private func render(
    _ frames: Int, _ bus: UInt32, _ time: inout AudioTimeStamp, into channels: inout [[Float]]
  ) throws {
    let list = AudioBufferList.allocate(maximumBuffers: channels.count)
    defer { free(list.unsafeMutablePointer) }
    for channel in channels.indices {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
    }
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    try check(
      AudioUnitRender(
        handle, &flags, &time, bus, UInt32(frames), list.unsafeMutablePointer), "render")
    for channel in channels.indices {
      let samples = try #require(list[channel].mData).assumingMemoryBound(to: Float.self)
      channels[channel] += UnsafeBufferPointer(start: samples, count: frames)
    }
  }
}
