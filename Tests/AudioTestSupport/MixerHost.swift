// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// A unit that a program renders without a device.
package final class MixerHost {
  package let unit: HostedUnit
  package let sampleRate: Double
  private var time = 0.0
  package private(set) var flags = AudioUnitRenderActionFlags()

  /// Makes a unit with `inputs` inputs. Every bus has `sampleRate`, and otherwise its default
  /// format.
  package init(
    _ subType: OSType = kAudioUnitSubType_MultiChannelMixer, type: OSType = kAudioUnitType_Mixer,
    manufacturer: OSType = kAudioUnitManufacturer_Apple, inputs: Int? = nil,
    sampleRate: Double = 48_000
  ) throws {
    unit = try HostedUnit(subType, type: type, manufacturer: manufacturer)
    self.sampleRate = sampleRate
    if let inputs {
      try unit.set(kAudioUnitProperty_ElementCount, to: UInt32(inputs), kAudioUnitScope_Input)
    }
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for element in 0..<(try unit.get(kAudioUnitProperty_ElementCount, as: UInt32(0), scope)) {
        try unit.set(kAudioUnitProperty_SampleRate, to: sampleRate, scope, element)
      }
    }
  }

  /// Feeds a bus with planar Float32.
  @discardableResult
  package func feed(
    _ bus: Int, channels: UInt32 = 2, rate: Double? = nil,
    _ sample: @escaping @Sendable (_ channel: Int, _ frame: Int) -> Float
  ) throws -> HostCallback {
    try unit.setFormat(
      .linear(rate ?? sampleRate, channels: channels), kAudioUnitScope_Input, UInt32(bus))
    let callback = HostCallback { moment in
      moment.fill(sample)
      return noErr
    }
    try unit.setCallback(callback, bus: UInt32(bus))
    return callback
  }

  /// Feeds a bus with the same sine on every channel.
  @discardableResult
  package func feedSine(
    _ bus: Int, _ frequency: Double, amplitude: Double = 0.5, channels: UInt32 = 2,
    rate: Double? = nil
  ) throws -> HostCallback {
    let rate = rate ?? sampleRate
    return try feed(bus, channels: channels, rate: rate) { _, frame in
      Float(amplitude * sin(2 * .pi * frequency * Double(frame) / rate))
    }
  }

  package func initialize() throws { try unit.initialize() }

  package func set(
    _ id: AudioUnitParameterID, _ value: Float, _ scope: AudioUnitScope = kAudioUnitScope_Input,
    _ element: AudioUnitElement = 0
  ) throws {
    try check(AudioUnitSetParameter(unit.handle, id, scope, element, value, 0), "set \(id)")
  }

  package func value(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope = kAudioUnitScope_Input,
    _ element: AudioUnitElement = 0
  ) throws -> Float {
    var value = Float.nan
    try check(AudioUnitGetParameter(unit.handle, id, scope, element, &value), "get \(id)")
    return value
  }

  package func schedule(
    _ id: AudioUnitParameterID, from start: Float? = nil, to end: Float, at offset: Int,
    frames: Int = 0, _ scope: AudioUnitScope = kAudioUnitScope_Input,
    _ element: AudioUnitElement = 0
  ) throws {
    var event = AudioUnitParameterEvent()
    (event.scope, event.element, event.parameter) = (scope, element, id)
    if let start {
      event.eventType = .parameterEvent_Ramped
      event.eventValues.ramp.startBufferOffset = Int32(offset)
      event.eventValues.ramp.durationInFrames = UInt32(frames)
      event.eventValues.ramp.startValue = start
      event.eventValues.ramp.endValue = end
    } else {
      event.eventType = .parameterEvent_Immediate
      event.eventValues.immediate.bufferOffset = UInt32(offset)
      event.eventValues.immediate.value = end
    }
    try check(AudioUnitScheduleParameters(unit.handle, &event, 1), "schedule \(id)")
  }

  /// Renders the next frames of a bus in slices of the sizes in turn; returns each channel.
  package func render(
    _ frames: Int, slices: [Int] = [512], bus: UInt32 = 0, channels: Int = 2
  ) throws -> [Signal] {
    var rendered = [[Float]](repeating: [], count: channels)
    var turn = 0
    let list = AudioBufferList.allocate(maximumBuffers: channels)
    defer { free(list.unsafeMutablePointer) }
    while rendered[0].count < frames {
      let count = min(slices[turn % slices.count], frames - rendered[0].count)
      for channel in 0..<channels {
        list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      }
      var stamp = AudioTimeStamp()
      (stamp.mSampleTime, stamp.mFlags) = (time, .sampleTimeValid)
      flags = []
      try check(
        AudioUnitRender(
          unit.handle, &flags, &stamp, bus, UInt32(count), list.unsafeMutablePointer), "render")
      for channel in 0..<channels {
        let data = list[channel].mData?.assumingMemoryBound(to: Float.self)
        rendered[channel] += UnsafeBufferPointer(start: data, count: count)
      }
      time += Double(count)
      turn += 1
    }
    return rendered.map { Signal($0, sampleRate: sampleRate) }
  }
}
