// SPDX-License-Identifier: Apache-2.0

import AudioSupport
import AudioTestSupport
import AudioToolbox
import AudioUnitCore
import Foundation
import PlugInHosting
import Testing

/// A plug-in as a component, and a unit of it.
struct TestPlugIn {
  /// Whether units have processes of their own.
  @TaskLocal static var isApart = false
  /// How long such a process may take for a call, in seconds.
  @TaskLocal static var timeLimit = 10.0

  let description: PlugInDescription
  let unit: AudioTestSupport.HostedUnit
  private let clock = Clock()

  /// The time of the next render.
  private final class Clock {
    var time = AudioTimeStamp(sampleTime: 0)
  }

  /// Registers the plug-ins of a library or bundle, and makes a unit of the one whose identifier ends so.
  init(_ format: PlugInFormat, at path: String, _ suffix: String) throws {
    let all = try Registered.plugIns(format, path)
    description = try #require(all.first { $0.identifier.hasSuffix(suffix) })
    let codes = try #require(description.codes)
    unit = try AudioTestSupport.HostedUnit(
      codes.subType, type: codes.type, manufacturer: codes.manufacturer,
      options: Self.isApart ? .loadOutOfProcess : [])
  }

  /// A unit of a plug-in whose description has more than the library's list.
  init(_ description: PlugInDescription) throws {
    self.description = description
    let codes = try #require(description.codes)
    // Under codes of its own, because the list is registered too.
    let own = AudioComponentDescription(
      componentType: codes.type, componentSubType: codes.subType ^ 1,
      componentManufacturer: codes.manufacturer, componentFlags: 0, componentFlagsMask: 0)
    _ = try? ComponentRegistry.shared.register(Registered.component(description, own))
    unit = try AudioTestSupport.HostedUnit(
      own.componentSubType, type: codes.type, manufacturer: codes.manufacturer,
      options: Self.isApart ? .loadOutOfProcess : [])
  }

  /// Prepares it for a rate and numbers of channels, with these samples as input.
  func start(
    rate: Double = 48_000, input: [[Float]] = [], channels: Int? = nil, sideChain: [[Float]] = [],
    maximumFrames: UInt32 = 512
  ) throws {
    try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: maximumFrames)
    let output = channels ?? description.outputs.first?.channelCount ?? 2
    try unit.setFormat(.linear(rate, channels: UInt32(output)), kAudioUnitScope_Output)
    for (bus, samples) in [input, sideChain].enumerated() where !samples.isEmpty {
      try unit.setFormat(
        .linear(rate, channels: UInt32(samples.count)), kAudioUnitScope_Input, UInt32(bus))
      try unit.setCallback(
        HostCallback { moment in
          moment.fill { channel, frame in
            frame < samples[channel].count ? samples[channel][frame] : 0
          }
          return noErr
        }, bus: UInt32(bus))
    }
    try unit.initialize()
  }

  /// Renders in slices of these lengths.
  func render(slices: [Int], channels: Int, bus: UInt32 = 0) throws -> [[Float]] {
    var result = [[Float]](repeating: [], count: channels)
    for frames in slices {
      let list = AudioBufferList.allocate(maximumBuffers: channels)
      defer { free(list.unsafeMutablePointer) }
      for channel in 0..<channels {
        list[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
      }
      var flags = AudioUnitRenderActionFlags(rawValue: 0)
      try check(
        AudioUnitRender(
          unit.handle, &flags, &clock.time, bus, UInt32(frames), list.unsafeMutablePointer),
        "render")
      for channel in 0..<channels {
        let samples = try #require(list[channel].mData).assumingMemoryBound(to: Float.self)
        result[channel] += Array(UnsafeBufferPointer(start: samples, count: frames))
      }
      clock.time.mSampleTime += Double(frames)
    }
    return result
  }

  /// The parameter with a name.
  func id(_ name: String) throws -> AudioUnitParameterID {
    try #require(description.parameters.first { $0.name == name }).id
  }

  func set(_ name: String, to value: Float) throws {
    try check(
      AudioUnitSetParameter(unit.handle, id(name), kAudioUnitScope_Global, 0, value, 0), name)
  }

  func value(_ name: String) throws -> Float {
    var value: Float = 0
    try check(AudioUnitGetParameter(unit.handle, id(name), kAudioUnitScope_Global, 0, &value), name)
    return value
  }

  func info(_ name: String) throws -> AudioUnitParameterInfo {
    try unit.get(
      kAudioUnitProperty_ParameterInfo, as: AudioUnitParameterInfo(), kAudioUnitScope_Global,
      id(name))
  }
}

/// Runs each test twice: with plug-ins in this process, and with plug-ins in processes of their own.
struct BothWays: TestTrait, SuiteTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await function()
    try await TestPlugIn.$isApart.withValue(true) { try await function() }
  }
}

extension Trait where Self == BothWays {
  static var bothWays: Self { Self() }
}

extension AudioTimeStamp {
  /// A time in frames.
  fileprivate init(sampleTime: Double) {
    self.init()
    mSampleTime = sampleTime
    mFlags = .sampleTimeValid
  }
}

/// What was registered in this process, each library once.
private enum Registered {
  private static let known = Guarded<[String: [PlugInDescription]]>([:])

  static func plugIns(_ format: PlugInFormat, _ path: String) throws -> [PlugInDescription] {
    // Registered before it is used for the first time.
    var every = AudioComponentDescription()
    _ = AudioComponentCount(&every)
    return try known.withLock { known in
      if let found = known[path] { return found }
      let found = try format.describe(libraryAt: path)
      for plugIn in found { register(plugIn) }
      known[path] = found
      return found
    }
  }

  /// Adds the component of a plug-in, if it can have one.
  private static func register(_ plugIn: PlugInDescription) {
    guard let codes = plugIn.codes else { return }
    let description = AudioComponentDescription(
      componentType: codes.type, componentSubType: codes.subType,
      componentManufacturer: codes.manufacturer, componentFlags: 0, componentFlagsMask: 0)
    // Some libraries contain a plug-in twice.
    _ = try? ComponentRegistry.shared.register(component(plugIn, description))
  }

  /// The component of a plug-in.
  static func component(_ plugIn: PlugInDescription, _ description: AudioComponentDescription)
    -> Component
  {
    Component(description, name: plugIn.componentName, version: plugIn.version) {
      component, options throws(AudioError) in
      guard plugIn.refusals.isEmpty else {
        throw .invalidFile.because(plugIn.refusals.joined(separator: "; "))
      }
      let apart =
        options.contains(.loadOutOfProcess) ? OwnProcess(timeLimit: TestPlugIn.timeLimit) : nil
      return UnitDefinition.hosting(plugIn, apart: apart).unit(of: component)
    }
  }
}
