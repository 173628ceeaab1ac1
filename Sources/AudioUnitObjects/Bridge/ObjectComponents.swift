// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import AudioUnitCore
public import CAudioToolbox
import CoreAudio
import Foundation

/// The components whose units are subclasses of `AUAudioUnit`.
enum ObjectComponents {
  private static let types = Guarded<[AudioComponent: AUAudioUnit.Type]>([:])

  /// [any thread] The class of the units of a component; nil for the component of C units.
  static func type(of component: AudioComponent) -> AUAudioUnit.Type? {
    types.withLock { $0[component] }
  }

  /// [control thread] Registers a class, unless a component with the same codes has this or a higher
  /// version, or the class stands for C units. A class that is no subclass ends the program.
  static func register(
    _ type: AnyClass, _ description: AudioComponentDescription, _ name: String, _ version: UInt32
  ) {
    guard let type = type as? AUAudioUnit.Type else {
      fatalError("AUAudioUnit.registerSubclass: \(type) is no subclass of AUAudioUnit")
    }
    // Its units would look for the C unit of their component, which is made of such a unit.
    guard type != AUAudioUnit.self, !(type is AUAudioUnitV2Bridge.Type) else {
      Explanations.log(
        "AUAudioUnit.registerSubclass: \(type) stands for C units; register a subclass of "
          + "AUAudioUnit that renders itself")
      return
    }
    var description = description
    description.componentFlags |= AudioComponentFlags.isV3AudioUnit.rawValue
    let component = Component(description, name: name, version: version) {
      component, options throws(AudioError) in
      try ObjectUnit.make(type, of: component, options)
    }
    guard let handle = try? component.handle() else { return }
    // Before anyone can find it.
    types.withLock { $0[handle] = type }
    do throws(AudioError) { try Library.components.register(component) } catch {
      types.withLock { $0[handle] = nil }
      Explanations.log("AUAudioUnit.registerSubclass: \(error.text)")
      return
    }
    postRegistrationsChanged()
  }
}

extension AUAudioUnit {
  /// Registers a subclass as a component of this process: hosts of C units can use it too.
  ///
  /// Nothing is registered if a component with the same codes has this or a higher version, or if the
  /// class is `AUAudioUnit` itself, `AUAudioUnitV2Bridge` or a subclass of that.
  ///
  /// - Parameters:
  ///   - cls: The class, which overrides `init(componentDescription:options:)` or inherits it.
  ///   - componentDescription: Type, subtype and manufacturer.
  ///   - name: "Manufacturer: Name".
  ///   - version: Major version in the upper 16 bits, minor and patch in eight each.
  public class func registerSubclass(
    _ cls: AnyClass, as componentDescription: AudioComponentDescription, name: String,
    version: UInt32
  ) {
    ObjectComponents.register(cls, componentDescription, name, version)
  }

  /// [control thread] The object of a C unit, which must live as long as the object: that of its
  /// subclass, or a new one.
  package static func object(of handle: AudioUnit) throws -> AUAudioUnit {
    let own = UnitInstance.use(handle) { ($0 as? ObjectUnit)?.object }
    return try own ?? AUAudioUnitV2Bridge(lent: handle)
  }
}
