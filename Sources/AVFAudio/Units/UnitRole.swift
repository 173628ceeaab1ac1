// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// The class of node that a type of component makes.
enum UnitRole {
  case effect, timeEffect, generator, instrument, output, other

  init(type: OSType) {
    self =
      switch type {
      case kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_Panner: .effect
      case kAudioUnitType_FormatConverter: .timeEffect
      case kAudioUnitType_Generator: .generator
      case kAudioUnitType_MusicDevice: .instrument
      case kAudioUnitType_Output: .output
      default: .other
      }
  }

  /// A unit of a component that has this role; another role, or a component that does not exist,
  /// ends the program.
  func unit(_ description: AudioComponentDescription, for node: String) -> NodeUnit {
    orEnd {
      let call = "\(node).init(audioComponentDescription:)"
      guard UnitRole(type: description.componentType) == self else {
        throw EngineError.refusal(
          call, "'\(FourCharacterCode(description.componentType))' is another type of component",
          mend: "use the class for this type, or AVAudioUnit.instantiate(with:options:)",
          kAudioComponentErr_UnsupportedType)
      }
      return try NodeUnit(description, call)
    }
  }
}
