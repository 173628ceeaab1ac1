// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
import UnitTexts

/// A kind of unit in the registry: its codes, its name, and the function that makes an instance.
///
/// The corresponding C type is `AudioComponent`.
public final class Component: @unchecked Sendable {
  /// Type, subtype, manufacturer and flags.
  public let description: AudioComponentDescription
  /// "Manufacturer: Name".
  public let name: String
  /// Major version in the upper 16 bits, minor and patch in eight each.
  public let version: UInt32
  private let makeInstance:
    @Sendable (Component, AudioComponentInstantiationOptions) throws(AudioError) -> UnitInstance
  private let sharedObjects = Guarded<[ObjectIdentifier: AnyObject & Sendable]>([:])
  private let makeHandle = Lock()
  private var madeHandle: AudioComponent?

  /// A component that makes its instances by `instantiate`, which gets itself and the options of a
  /// program.
  public init(
    _ description: AudioComponentDescription, name: String, version: UInt32,
    instantiate:
      @escaping @Sendable (Component, AudioComponentInstantiationOptions) throws(AudioError) ->
      UnitInstance
  ) {
    self.description = description
    self.name = name
    self.version = version
    makeInstance = instantiate
  }

  /// [control thread] Makes an instance with its own handle; it is open but not initialised.
  public func instantiate(_ options: AudioComponentInstantiationOptions = []) throws(AudioError)
    -> UnitInstance
  {
    let unit = try makeInstance(self, options)
    try unit.assignHandle()
    do throws(AudioError) { try unit.open() } catch {
      unit.abandonHandle()
      throw error
    }
    return unit
  }

  /// [control thread] An object that all units of a class share if they are instances of this
  /// component: that from the first call of `make`.
  func shared<Object: AnyObject & Sendable>(by type: AnyClass, _ make: () -> Object) -> Object {
    sharedObjects.withLock { objects in
      let key = ObjectIdentifier(type)
      if let object = objects[key] as? Object { return object }
      let made = make()
      objects[key] = made
      return made
    }
  }

  /// [control thread] Its handle in the C API, which never changes.
  public func handle() throws(AudioError) -> AudioComponent {
    try makeHandle.withLock { () throws(AudioError) in
      if let madeHandle { return madeHandle }
      let handle = try Handles.components.insert(self)
      madeHandle = handle
      return handle
    }
  }

  /// Whether a search for `query` finds it: zero is a wildcard.
  public func matches(_ query: AudioComponentDescription) -> Bool {
    func agrees(_ code: OSType, _ own: OSType) -> Bool { code == 0 || code == own }
    return agrees(query.componentType, description.componentType)
      && agrees(query.componentSubType, description.componentSubType)
      && agrees(query.componentManufacturer, description.componentManufacturer)
      && description.componentFlags & query.componentFlagsMask
        == query.componentFlags & query.componentFlagsMask
      && (query.namesOne
        || description.componentFlags & AudioComponentFlags.unsearchable.rawValue == 0)
  }
}

extension Component: NamedComponent {}

/// The handles of the process.
public enum Handles {
  /// Audio units: `AudioUnit`, `AudioComponentInstance`.
  public static let units: HandleTable<UnitInstance, AudioUnit> = {
    Explanations.describeUnit = describe
    return HandleTable(kind: 1)
  }()
  /// Components: `AudioComponent`.
  public static let components = HandleTable<Component, AudioComponent>(kind: 2)

  /// The explanation for a unit in which a render failed.
  private static func describe(
    _ handle: AudioUnit, _ status: OSStatus, _ bus: UInt32, _ frameCount: UInt32
  ) -> String? {
    guard let entered = units.enter(handle) else { return nil }
    defer { units.leave(handle) }
    let unit = entered.takeUnretainedValue()
    if status == kAudioUnitErr_TooManyFramesToProcess, let maximum = unit.frameLimit {
      return "\(unit.title): expected at most \(maximum) frames: "
    }
    if status == kAudio_ParamError, let buffers = buffers(of: unit, bus, frameCount) {
      return "\(unit.title): \(buffers): "
    }
    return "\(unit.title): "
  }

  /// A text about the buffers that rendering a bus needs.
  private static func buffers(
    of unit: UnitInstance, _ bus: UInt32, _ frameCount: UInt32
  ) -> String? {
    guard
      let description = unit.value(
        kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, bus,
        over: AudioStreamBasicDescription()),
      let format = try? StreamFormat(description)
    else { return nil }
    let size = UInt64(format.bytesPerFrame) * UInt64(frameCount)
    let count = format.bufferCount
    return "for \(format.text), expected "
      + (count == 1
        ? "1 buffer of at least \(size) bytes"
        : "\(count) buffers of at least \(size) bytes, all with memory or all without")
  }
}
