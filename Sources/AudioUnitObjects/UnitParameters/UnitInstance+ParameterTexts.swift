// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio

// The texts of the parameters of any unit.
extension UnitInstance {
  /// [control thread] The text of a value; nil if the unit has none.
  func text(of value: AUValue, _ place: ParameterAddress) -> String? {
    withUnsafePointer(to: value) { pointer in
      let query = AudioUnitParameterStringFromValue(
        inParamID: place.id, inValue: pointer, __outString: nil)
      return take(
        self.value(
          kAudioUnitProperty_ParameterStringFromValue, place.scope, place.element, over: query)?
          .__outString)
    }
  }

  /// [control thread] The value of a text; nil if it has none.
  func value(of text: String, _ place: ParameterAddress) -> AUValue? {
    let string = Bridge.current.retainedString(text)
    defer { Bridge.current.release(string) }
    let query = AudioUnitParameterValueFromString(
      inParamID: place.id, __inString: string, outValue: 0)
    return value(
      kAudioUnitProperty_ParameterValueFromString, place.scope, place.element, over: query)?
      .outValue
  }

  /// [control thread] The name of a parameter in at most this many characters; nil if the unit has
  /// none.
  func parameterName(_ place: ParameterAddress, length: Int) -> String? {
    name(kAudioUnitProperty_ParameterIDName, place.id, place.scope, length: Int32(clamping: length))
  }

  /// [control thread] The name of a group of parameters; nil if it has none.
  func clumpName(_ clump: UInt32, _ scope: AudioUnitScope) -> String? {
    name(
      kAudioUnitProperty_ParameterClumpName, clump, scope,
      length: Int32(kAudioUnitParameterName_Full))
  }

  private func name(
    _ property: AudioUnitPropertyID, _ id: UInt32, _ scope: AudioUnitScope, length: Int32
  ) -> String? {
    var query = AudioUnitParameterNameInfo()
    query.inID = id
    query.inDesiredLength = length
    return take(value(property, scope, over: query)?.__outName)
  }

  /// The text of a string, which is released.
  private func take(_ string: UnsafeRawPointer??) -> String? {
    guard let string, let string else { return nil }
    defer { Bridge.current.release(string) }
    return Bridge.current.string(string)
  }
}
