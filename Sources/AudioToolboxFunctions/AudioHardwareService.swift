// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

// The functions of AudioHardwareService.h.

@c @implementation
public func AudioHardwareServiceHasProperty(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>
) -> Bool { AudioObjectHasProperty(inObjectID, inAddress) }

@c @implementation
public func AudioHardwareServiceIsPropertySettable(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ outIsSettable: UnsafeMutablePointer<Bool>
) -> OSStatus { AudioObjectIsPropertySettable(inObjectID, inAddress, outIsSettable) }

@c @implementation
public func AudioHardwareServiceGetPropertyDataSize(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?,
  _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  AudioObjectGetPropertyDataSize(
    inObjectID, inAddress, inQualifierDataSize, inQualifierData, outDataSize)
}

@c @implementation
public func AudioHardwareServiceGetPropertyData(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?,
  _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) -> OSStatus {
  AudioObjectGetPropertyData(
    inObjectID, inAddress, inQualifierDataSize, inQualifierData, ioDataSize, outData)
}

@c @implementation
public func AudioHardwareServiceSetPropertyData(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?, _ inDataSize: UInt32,
  _ inData: UnsafeRawPointer
) -> OSStatus {
  AudioObjectSetPropertyData(
    inObjectID, inAddress, inQualifierDataSize, inQualifierData, inDataSize, inData)
}

@c @implementation
public func AudioHardwareServiceAddPropertyListener(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inListener: AudioObjectPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  AudioObjectAddPropertyListener(inObjectID, inAddress, inListener, inClientData)
}

@c @implementation
public func AudioHardwareServiceRemovePropertyListener(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inListener: AudioObjectPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  AudioObjectRemovePropertyListener(inObjectID, inAddress, inListener, inClientData)
}
