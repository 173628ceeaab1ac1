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
  /// What else is known about it.
  public let traits: ComponentTraits
  private let makeInstance:
    @Sendable (Component, AudioComponentInstantiationOptions) throws(AudioError) -> UnitInstance
  private let sharedObjects = Guarded<[ObjectIdentifier: AnyObject & Sendable]>([:])
  private let makeHandle = Lock()
  private var madeHandle: AudioComponent?

  /// A component that makes its instances by `instantiate`, which gets itself and the options of a
  /// program.
  public init(
    _ description: AudioComponentDescription, name: String, version: UInt32,
    traits: ComponentTraits = ComponentTraits(),
    instantiate:
      @escaping @Sendable (Component, AudioComponentInstantiationOptions) throws(AudioError) ->
      UnitInstance
  ) {
    self.description = description
    self.name = name
    self.version = version
    self.traits = traits
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

  /// [any thread] The traits of the component with a handle; nil if there is none.
  public static func traits(of handle: AudioComponent) -> ComponentTraits? {
    guard let entered = Handles.components.enter(handle) else { return nil }
    defer { Handles.components.leave(handle) }
    return entered._withUnsafeGuaranteedRef { $0.traits }
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
