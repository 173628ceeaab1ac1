// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import AudioUnitCore
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
      component throws(AudioError) in
      try ObjectUnit.make(type, of: component)
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
  /// [control thread] The object of a C unit, which must live as long as the object: that of its
  /// subclass, or a new one.
  package static func object(of handle: AudioUnit) throws -> AUAudioUnit {
    let own = UnitInstance.use(handle) { ($0 as? ObjectUnit)?.object }
    return try own ?? AUAudioUnitV2Bridge(lent: handle)
  }
}
