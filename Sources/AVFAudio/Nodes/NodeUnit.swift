// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// The audio unit of a node, or one that an engine adds itself. Disposed of with this object.
final class NodeUnit: @unchecked Sendable {  // the functions are safe for threads
  let handle: AudioUnit

  /// Makes a unit of any component, for a call with this name. [control thread]
  init(_ description: AudioComponentDescription, _ call: String) throws {
    handle = try Self.make(description, call)
  }

  /// Makes one of this library's units. Only a process without memory, or a forked one, cannot.
  init(_ type: OSType, _ subType: OSType) {
    handle = orEnd {
      try Self.make(
        AudioComponentDescription(
          componentType: type, componentSubType: subType,
          componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
          componentFlagsMask: 0), "AVAudioUnit.init()")
    }
  }

  /// Owns a unit that a program cannot have yet.
  init(adopting handle: AudioUnit) { self.handle = handle }

  deinit { AudioComponentInstanceDispose(handle) }

  private static func make(
    _ description: AudioComponentDescription, _ call: String
  ) throws -> AudioUnit {
    var handle: AudioUnit?
    try EngineError.check(
      AudioComponentInstanceNew(try component(description, call), &handle), call)
    guard let handle else { throw EngineError.failure(call, kAudio_ParamError) }
    return handle
  }

  /// The first component that matches a description; throws, for a call with this name, if there is
  /// none.
  static func component(
    _ description: AudioComponentDescription, _ call: String
  ) throws -> AudioComponent {
    var description = description
    guard let component = AudioComponentFindNext(nil, &description) else {
      let codes = [
        description.componentType, description.componentSubType, description.componentManufacturer,
      ].map { "'\(FourCharacterCode($0))'" }.joined(separator: " ")
      throw EngineError.refusal(
        call, "no component has the codes \(codes)",
        mend: "choose one that AVAudioUnitComponentManager lists",
        kAudioComponentErr_InstanceInvalidated)
    }
    return component
  }

  // MARK: Its component

  /// The type of its component.
  var componentType: OSType {
    var codes = AudioComponentDescription()
    AudioComponentGetDescription(AudioComponentInstanceGetComponent(handle), &codes)
    return codes.componentType
  }

  /// The name of its component, without the manufacturer.
  var componentName: String {
    AVAudioUnitComponent(AudioComponentInstanceGetComponent(handle))?.name ?? ""
  }

  // MARK: As an object

  private let madeObject = Guarded<AUAudioUnit?>(nil)

  /// The unit as an object, which is always the same. Only a unit that was disposed of has none.
  var object: AUAudioUnit {
    madeObject.withLock { made in
      if let made { return made }
      let object = orEnd { try AUAudioUnit.object(of: handle) }
      made = object
      return object
    }
  }

  /// Makes a plug-in in a process of its own wait for it, and fail without it, while nobody listens.
  func setOffline(_ isOffline: Bool) {
    guard
      value(kAudioUnitProperty_LoadedOutOfProcess, kAudioUnitScope_Global, 0 as UInt32) == 1
    else { return }
    set(kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, isOffline ? 1 : 0 as UInt32)
  }

  // MARK: Formats

  /// The format of a bus; nil if it does not exist.
  func format(_ scope: AudioUnitScope, _ bus: UInt32) -> AVAudioFormat? {
    var fields = AudioStreamBasicDescription()
    guard get(kAudioUnitProperty_StreamFormat, scope, bus, &fields) == noErr else { return nil }
    guard fields.mChannelsPerFrame > 2 else { return AVAudioFormat(streamDescription: &fields) }
    let layout = AVAudioChannelLayout(
      layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | fields.mChannelsPerFrame)
    return AVAudioFormat(streamDescription: &fields, channelLayout: layout)
  }

  /// Sets the format of a bus, unless it has it.
  func setFormat(_ format: AVAudioFormat, _ scope: AudioUnitScope, _ bus: UInt32) -> OSStatus {
    guard self.format(scope, bus)?.hasSamples(of: format) != true else { return noErr }
    return set(kAudioUnitProperty_StreamFormat, scope, bus, format.streamDescription.pointee)
  }

  // MARK: Properties and parameters

  /// Reads a property.
  func get<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ bus: UInt32, _ value: inout Value
  ) -> OSStatus {
    var size = UInt32(MemoryLayout<Value>.size)
    return AudioUnitGetProperty(handle, id, scope, bus, &value, &size)
  }

  /// Reads a property; nil if the unit does not have it.
  func value<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, bus: UInt32 = 0, _ initial: Value
  ) -> Value? {
    var value = initial
    return get(id, scope, bus, &value) == noErr ? value : nil
  }

  /// Sets a property.
  @discardableResult
  func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ bus: UInt32, _ value: Value
  ) -> OSStatus {
    withUnsafePointer(to: value) {
      AudioUnitSetProperty(handle, id, scope, bus, $0, UInt32(MemoryLayout<Value>.size))
    }
  }

  /// Sets a parameter; a value that is not a number changes nothing.
  @discardableResult
  func set(
    parameter id: AudioUnitParameterID, _ scope: AudioUnitScope, _ bus: UInt32, _ value: Float
  ) -> OSStatus {
    AudioUnitSetParameter(handle, id, scope, bus, value, 0)
  }
}
