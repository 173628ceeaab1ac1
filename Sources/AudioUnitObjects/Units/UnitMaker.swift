// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import AudioUnitCore
public import CAudioToolbox
import CoreAudio
public import Foundation

/// Makes units: of a registered subclass if the component is one, otherwise for the C unit.
enum UnitMaker {
  /// [any thread] A unit of the first component that matches a description.
  static func make(
    _ query: AudioComponentDescription, _ options: AudioComponentInstantiationOptions
  ) throws -> sending AUAudioUnit {
    let identity = try UnitIdentity(query)
    guard let type = ObjectComponents.type(of: identity.component) else {
      return try AUAudioUnitV2Bridge(componentDescription: identity.description, options: options)
    }
    return try make(type, identity.description, options)
  }

  /// [any thread] A unit of a subclass.
  ///
  /// Swift calls an initialiser of a class that is known only at run time if it is `required`, but
  /// then each subclass would have to declare it so, and programs do not. A class that is known only
  /// at run time has the initialiser in its table of methods all the same, at the place where
  /// `UnitShape` has its own: both classes have the same base class and one stored property, and the
  /// initialiser is the first method that they add.
  static func make(
    _ type: AUAudioUnit.Type, _ description: AudioComponentDescription,
    _ options: AudioComponentInstantiationOptions
  ) throws -> sending AUAudioUnit {
    let shape = unsafeBitCast(type, to: UnitShape.Type.self)
    nonisolated(unsafe) let made = unsafeBitCast(
      try construct(shape, description, options), to: AUAudioUnit.self)
    return made
  }

  /// Calls the initialiser through the table; the optimiser must not replace the call by `UnitShape`'s.
  @inline(never) @_optimize(none)
  private static func construct(
    _ type: UnitShape.Type, _ description: AudioComponentDescription,
    _ options: AudioComponentInstantiationOptions
  ) throws -> UnitShape {
    try type.init(componentDescription: description, options: options)
  }
}

extension AUAudioUnit {
  /// Makes a unit of a component, on a thread of the library, and passes it to a block. If that
  /// fails, the block gets an error.
  @preconcurrency
  public class func instantiate(
    with componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = [],
    completionHandler: @escaping @Sendable (AUAudioUnit?, (any Error)?) -> Void
  ) {
    // Never the main queue: programs wait on the main thread until the block is called.
    DispatchQueue.global().async {
      do {
        completionHandler(try UnitMaker.make(componentDescription, options), nil)
      } catch { completionHandler(nil, error) }
    }
  }

  /// Makes a unit of a component.
  public class func instantiate(
    with componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) async throws -> sending AUAudioUnit {
    try UnitMaker.make(componentDescription, options)
  }
}

/// A class whose table of methods begins as that of `AUAudioUnit`.
///
/// Open, because the compiler calls the initialiser of any other class without the table.
@_spi(UnitMaking) open class UnitShape: NSObject {
  private final let parts: UnitParts

  public required init(
    componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions
  ) throws {
    throw NSError(AudioError.unimplemented)
  }
}
