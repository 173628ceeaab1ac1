// SPDX-License-Identifier: Apache-2.0

import CoreAudio
import Foundation

// In Swift, the headers declare these fields as raw pointers with two underscores before the name
// (AUCoreFoundationFields.h explains why). Like every unmanaged field, they do not count
// references: use `takeRetainedValue()` where the unit returns an object that the caller releases.

extension AUPreset {
  /// The name of the preset.
  public var presetName: Unmanaged<CFString>? {
    get { object(at: __presetName) }
    set { __presetName = newValue.map(address(of:)) }
  }

  /// A preset with a number and a name.
  public init(presetNumber: Int32, presetName: Unmanaged<CFString>?) {
    self.init(presetNumber: presetNumber, __presetName: presetName.map(address(of:)))
  }
}

extension AudioUnitParameterInfo {
  /// The unit of measure, when it is a custom one.
  public var unitName: Unmanaged<CFString>? {
    get { object(at: __unitName) }
    set { __unitName = newValue.map(address(of:)) }
  }

  /// The name of the parameter.
  public var cfNameString: Unmanaged<CFString>? {
    get { object(at: __cfNameString) }
    set { __cfNameString = newValue.map(address(of:)) }
  }

  /// The characters of a name that is no longer used: the field `name`.
  public typealias NameCharacters = (
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar
  )

  /// The description of a parameter for hosts.
  public init(
    name: NameCharacters, unitName: Unmanaged<CFString>?, clumpID: UInt32,
    cfNameString: Unmanaged<CFString>?, unit: AudioUnitParameterUnit,
    minValue: AudioUnitParameterValue, maxValue: AudioUnitParameterValue,
    defaultValue: AudioUnitParameterValue, flags: AudioUnitParameterOptions
  ) {
    self.init(
      name: name, __unitName: unitName.map(address(of:)), clumpID: clumpID,
      __cfNameString: cfNameString.map(address(of:)), unit: unit, minValue: minValue,
      maxValue: maxValue, defaultValue: defaultValue, flags: flags)
  }
}

extension AudioUnitParameterNameInfo {
  /// The name that was found.
  public var outName: Unmanaged<CFString>? {
    get { object(at: __outName) }
    set { __outName = newValue.map(address(of:)) }
  }

  /// A request for a name of at most this many characters.
  public init(inID: UInt32, inDesiredLength: Int32, outName: Unmanaged<CFString>?) {
    self.init(inID: inID, inDesiredLength: inDesiredLength, __outName: outName.map(address(of:)))
  }
}

extension AudioUnitParameterStringFromValue {
  /// The text that was found.
  public var outString: Unmanaged<CFString>? {
    get { object(at: __outString) }
    set { __outString = newValue.map(address(of:)) }
  }

  /// A request for the text of a value.
  public init(
    inParamID: AudioUnitParameterID, inValue: UnsafePointer<AudioUnitParameterValue>,
    outString: Unmanaged<CFString>?
  ) {
    self.init(inParamID: inParamID, inValue: inValue, __outString: outString.map(address(of:)))
  }
}

extension AudioUnitParameterValueFromString {
  /// The text whose value is requested.
  public var inString: Unmanaged<CFString> {
    get { Unmanaged.fromOpaque(__inString) }
    set { __inString = address(of: newValue) }
  }

  /// A request for the value of a text.
  public init(
    inParamID: AudioUnitParameterID, inString: Unmanaged<CFString>,
    outValue: AudioUnitParameterValue
  ) {
    self.init(inParamID: inParamID, __inString: address(of: inString), outValue: outValue)
  }
}

extension AUHostVersionIdentifier {
  /// The name of the host.
  public var hostName: Unmanaged<CFString> {
    get { Unmanaged.fromOpaque(__hostName) }
    set { __hostName = address(of: newValue) }
  }

  /// A host with a name and a version.
  public init(hostName: Unmanaged<CFString>, hostVersion: UInt32) {
    self.init(__hostName: address(of: hostName), hostVersion: hostVersion)
  }
}

extension AudioQueueChannelAssignment {
  /// The UID of the device.
  public var mDeviceUID: Unmanaged<CFString> {
    get { Unmanaged.fromOpaque(__mDeviceUID) }
    set { __mDeviceUID = address(of: newValue) }
  }

  /// A channel of a device.
  public init(mDeviceUID: Unmanaged<CFString>, mChannelNumber: UInt32) {
    self.init(__mDeviceUID: address(of: mDeviceUID), mChannelNumber: mChannelNumber)
  }
}

private func object(at address: UnsafeRawPointer?) -> Unmanaged<CFString>? {
  address.map(Unmanaged.fromOpaque)
}

private func address(of object: Unmanaged<CFString>) -> UnsafeRawPointer {
  UnsafeRawPointer(object.toOpaque())
}

extension AUSamplerInstrumentData {
  /// The location of the instrument: a file that the caller keeps.
  public var fileURL: Unmanaged<CFURL> {
    get { Unmanaged.fromOpaque(__fileURL) }
    set { __fileURL = UnsafeRawPointer(newValue.toOpaque()) }
  }

  /// An instrument of a bank, or a sound file.
  public init(
    fileURL: Unmanaged<CFURL>, instrumentType: UInt8, bankMSB: UInt8, bankLSB: UInt8,
    presetID: UInt8
  ) {
    self.init(
      __fileURL: UnsafeRawPointer(fileURL.toOpaque()), instrumentType: instrumentType,
      bankMSB: bankMSB,
      bankLSB: bankLSB, presetID: presetID)
  }
}

extension AUSamplerBankPresetData {
  /// The file of the bank, which the caller keeps.
  public var bankURL: Unmanaged<CFURL> {
    get { Unmanaged.fromOpaque(__bankURL) }
    set { __bankURL = UnsafeRawPointer(newValue.toOpaque()) }
  }

  /// An instrument of a bank.
  public init(
    bankURL: Unmanaged<CFURL>, bankMSB: UInt8, bankLSB: UInt8, presetID: UInt8, reserved: UInt8
  ) {
    self.init(
      __bankURL: UnsafeRawPointer(bankURL.toOpaque()), bankMSB: bankMSB, bankLSB: bankLSB,
      presetID: presetID, reserved: reserved)
  }
}
