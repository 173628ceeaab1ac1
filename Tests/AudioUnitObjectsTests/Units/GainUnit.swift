// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

/// A unit of a program: a gain with a ramp, which also keeps the events that it got.
final class GainUnit: AUAudioUnit {
  /// What the render thread uses.
  final class State: @unchecked Sendable {
    var gain: AUValue = 1
    var target: AUValue = 1
    var framesLeft: AUAudioFrameCount = 0
    /// Times and kinds of the events, and the bytes of MIDI messages.
    var events: [(time: Int64, type: AURenderEventType, bytes: [UInt8])] = []
    var keepsEvents = true
    var allocations = 0
  }

  let state = State()
  private var inputs: AUAudioUnitBusArray?
  private var outputs: AUAudioUnitBusArray?
  private let presets = [
    AUAudioUnitPreset(number: 0, name: "Quiet"), .init(number: 1, name: "Loud"),
  ]
  private var selected: AUAudioUnitPreset?
  /// The options that it was made with.
  let options: AudioComponentInstantiationOptions
  /// What it refuses to allocate with.
  var allocationError: NSError?
  /// Whether it calls that of `AUAudioUnit` before it refuses.
  var refusesLate = false
  var refusesFormats = false

  static let gain: AUParameterAddress = 3

  override init(
    componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions
  ) throws {
    self.options = options
    try super.init(componentDescription: componentDescription, options: options)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let input = try AUAudioUnitBus(format: format)
    input.name = "In"
    inputs = AUAudioUnitBusArray(audioUnit: self, busType: .input, busses: [input])
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
    let gain = AUParameterTree.createParameter(
      withIdentifier: "gain", name: "Gain", address: Self.gain, min: 0, max: 4, unit: .linearGain,
      unitName: nil, flags: [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp], valueStrings: nil,
      dependentParameters: nil)
    gain.value = 1
    let tree = AUParameterTree.createTree(withChildren: [gain])
    tree.implementorValueObserver = { [state] _, value in state.gain = value }
    tree.implementorValueProvider = { [state] _ in state.gain }
    parameterTree = tree
  }

  override var inputBusses: AUAudioUnitBusArray { inputs ?? super.inputBusses }
  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
  override var latency: TimeInterval { 0.25 }
  override var factoryPresets: [AUAudioUnitPreset]? { presets }
  override var supportsUserPresets: Bool { true }
  override var canProcessInPlace: Bool { true }

  override var currentPreset: AUAudioUnitPreset? {
    get { selected ?? super.currentPreset }
    set {
      super.currentPreset = newValue
      selected = newValue
      guard let newValue, newValue.number >= 0 else { return }
      parameterTree?.parameter(withAddress: Self.gain)?.value = newValue.number == 0 ? 0.25 : 4
    }
  }

  override func shouldChange(to format: AVAudioFormat, for bus: AUAudioUnitBus) -> Bool {
    !refusesFormats
  }

  override func allocateRenderResources() throws {
    if let allocationError, !refusesLate { throw allocationError }
    try super.allocateRenderResources()
    if let allocationError { throw allocationError }
    state.allocations += 1
  }

  override var internalRenderBlock: AUInternalRenderBlock {
    { [state] flags, time, frames, bus, output, events, pull in
      guard let pull else { return kAudioUnitErr_NoConnection }
      let status = pull(flags, time, frames, 0, output)
      guard status == noErr else { return status }
      var event = events
      var frame = 0
      let start = Int64(time.pointee.mSampleTime)
      while frame < Int(frames) {
        while let next = event, next.pointee.head.eventSampleTime <= start + Int64(frame) {
          GainUnit.apply(next, state)
          event = UnsafePointer(next.pointee.head.next)
        }
        if state.framesLeft > 0 {
          state.gain += (state.target - state.gain) / AUValue(state.framesLeft)
          state.framesLeft -= 1
        }
        for buffer in UnsafeMutableAudioBufferListPointer(output) {
          buffer.mData?.assumingMemoryBound(to: Float.self)[frame] *= state.gain
        }
        frame += 1
      }
      return noErr
    }
  }

  private static func apply(_ event: UnsafePointer<AURenderEvent>, _ state: State) {
    if state.keepsEvents {
      let message = event.pointee.MIDI
      let isMIDI = message.eventType == .MIDI || message.eventType == .midiSysEx
      let bytes = UnsafeRawPointer(event).advanced(by: 21).assumingMemoryBound(to: UInt8.self)
      state.events.append(
        (
          event.pointee.head.eventSampleTime, event.pointee.head.eventType,
          isMIDI ? Array(UnsafeBufferPointer(start: bytes, count: Int(message.length))) : []
        ))
    }
    switch event.pointee.head.eventType {
    case .parameter: (state.gain, state.framesLeft) = (event.pointee.parameter.value, 0)
    case .parameterRamp:
      state.target = event.pointee.parameter.value
      state.framesLeft = event.pointee.parameter.rampDurationSampleFrames
    default: break
    }
  }
}

extension AUAudioUnitPreset {
  // Programs have this extension.
  convenience init(number: Int, name: String) {
    self.init()
    self.number = number
    self.name = name
  }
}

extension AudioComponentDescription {
  /// A component of the tests.
  static func test(_ subType: String, type: OSType = kAudioUnitType_Effect) -> Self {
    let code = subType.utf8.reduce(0 as OSType) { $0 << 8 | OSType($1) }
    return Self(
      componentType: type, componentSubType: code, componentManufacturer: 0x5465_7374,
      componentFlags: 0, componentFlagsMask: 0)
  }
}

extension AUAudioUnit {
  /// A new unit of a class, registered under codes.
  static func registered<Unit: AUAudioUnit>(
    _ subType: String, type: OSType = kAudioUnitType_Effect, name: String = "Tests: Gain"
  ) async throws -> Unit {
    let description = AudioComponentDescription.test(subType, type: type)
    AUAudioUnit.registerSubclass(Unit.self, as: description, name: name, version: 0x0001_0203)
    return try #require(try await AUAudioUnit.instantiate(with: description) as? Unit)
  }

  /// Renders frames of bus 0 from a constant input, without memory for the output if `isEmpty`.
  func render(
    _ frames: AUAudioFrameCount, at time: Double = 0, input: Float = 1, channels: Int = 2
  ) throws -> [Float] {
    let list = AudioBufferList.allocate(maximumBuffers: channels)
    var samples = [Float](repeating: 0, count: Int(frames) * channels)
    defer { free(list.unsafeMutablePointer) }
    let status = samples.withUnsafeMutableBufferPointer { buffer -> OSStatus in
      for channel in 0..<channels {
        list[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: frames * 4,
          mData: buffer.baseAddress.map { $0 + channel * Int(frames) })
      }
      var flags = AudioUnitRenderActionFlags()
      var stamp = AudioTimeStamp()
      stamp.mSampleTime = time
      stamp.mFlags = .sampleTimeValid
      return renderBlock(&flags, &stamp, frames, 0, list.unsafeMutablePointer) {
        _, _, frames, _, list in
        for buffer in UnsafeMutableAudioBufferListPointer(list) {
          let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
          for frame in 0..<Int(frames) { samples?[frame] = input }
        }
        return noErr
      }
    }
    try check(status, "renderBlock")
    return Array(samples.prefix(Int(frames)))
  }
}

/// The status of an error of a unit.
func status(_ body: () throws -> Void) -> OSStatus {
  do {
    try body()
    return noErr
  } catch let failure as CallFailure {
    return failure.status
  } catch { return OSStatus(truncatingIfNeeded: (error as NSError).code) }
}
