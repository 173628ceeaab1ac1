// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

/// A component instance, created and used through the public API.
final class Instance: @unchecked Sendable {
  let unit: AudioUnit
  private var retained: [AnyObject] = []

  init(_ component: AudioComponent?) throws {
    var unit: AudioUnit?
    #expect(AudioComponentInstanceNew(try #require(component), &unit) == noErr)
    self.unit = try #require(unit)
  }

  convenience init(
    _ type: OSType, _ subType: OSType, _ manufacturer: OSType = kAudioUnitManufacturer_Apple
  ) throws {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType, componentManufacturer: manufacturer,
      componentFlags: 0, componentFlagsMask: 0)
    try self.init(AudioComponentFindNext(nil, &description))
  }

  deinit { _ = AudioComponentInstanceDispose(unit) }

  func set<Value>(
    _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> OSStatus {
    withUnsafeBytes(of: value) {
      AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32($0.count))
    }
  }

  /// Reads a property into `value`.
  func get<Value>(
    _ id: AudioUnitPropertyID, into value: inout Value,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0
  ) -> OSStatus {
    withUnsafeMutableBytes(of: &value) { bytes in
      guard let base = bytes.baseAddress else { return kAudio_ParamError }
      var size = UInt32(bytes.count)
      return AudioUnitGetProperty(unit, id, scope, element, base, &size)
    }
  }

  /// Reads an array property.
  func array<Element>(
    _ id: AudioUnitPropertyID, of type: Element.Type, _ scope: AudioUnitScope
  ) -> [Element] {
    var size: UInt32 = 0
    let status = AudioUnitGetPropertyInfo(unit, id, scope, 0, &size, nil)
    guard status == noErr, size > 0 else { return [] }
    let count = Int(size) / MemoryLayout<Element>.stride
    return [Element](unsafeUninitializedCapacity: count) { memory, initializedCount in
      guard let base = memory.baseAddress else { return }
      let status = AudioUnitGetProperty(unit, id, scope, 0, base, &size)
      initializedCount = status == noErr ? count : 0
    }
  }

  func value(_ id: AudioUnitParameterID, _ scope: AudioUnitScope = kAudioUnitScope_Global) -> Float
  {
    var value = Float.nan
    #expect(AudioUnitGetParameter(unit, id, scope, 0, &value) == noErr)
    return value
  }

  /// Feeds input bus 0 from `function`, with `state` as its context.
  func feed(_ function: AURenderCallback, _ state: AnyObject) -> OSStatus {
    retained.append(state)
    return set(
      kAudioUnitProperty_SetRenderCallback,
      AURenderCallbackStruct(
        inputProc: function, inputProcRefCon: Unmanaged.passUnretained(state).toOpaque()),
      kAudioUnitScope_Input)
  }

  /// Renders one slice of planar Float32; returns the samples of each channel.
  func render(_ frames: Int, at time: Double, channels: Int = 2) throws -> [[Float]] {
    let list = AudioBufferList.allocate(maximumBuffers: channels)
    defer { free(list.unsafeMutablePointer) }
    // Without memory: the output is read from the unit's own buffers.
    for channel in 0..<channels { list[channel].mNumberChannels = 1 }
    var stamp = AudioTimeStamp()
    (stamp.mSampleTime, stamp.mFlags) = (time, .sampleTimeValid)
    var flags = AudioUnitRenderActionFlags()
    let status = AudioUnitRender(
      unit, &flags, &stamp, 0, UInt32(frames), list.unsafeMutablePointer)
    guard status == noErr else { throw RenderFailure(status: status) }
    return list.map { Array(UnsafeBufferPointer<Float>($0)) }
  }
}

struct RenderFailure: Error, Equatable { var status: OSStatus }

func stereoFormat(_ rate: Double, channels: UInt32 = 2) -> AudioStreamBasicDescription {
  AudioStreamBasicDescription(
    mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
    mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: channels,
    mBitsPerChannel: 32, mReserved: 0)
}
