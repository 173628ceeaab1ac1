// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
public import CAudioToolbox
import CoreFoundationBridge

// The functions of AudioHardwareDeprecated.h.

private func system(_ selector: AudioHardwarePropertyID) -> AudioObjectPropertyAddress {
  AudioObjectPropertyAddress(
    mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal,
    mElement: kAudioObjectPropertyElementMain)
}

/// The address of a device's property. Channel 0 is the whole endpoint, like element 0 of an
/// address.
private func device(_ selector: AudioDevicePropertyID, _ isInput: Bool, _ channel: UInt32)
  -> AudioObjectPropertyAddress
{
  AudioObjectPropertyAddress(
    mSelector: selector,
    mScope: isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput,
    mElement: channel)
}

private func info(
  _ object: AudioObjectID, _ address: AudioObjectPropertyAddress,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?,
  in call: StaticString = #function
) -> OSStatus {
  beginHardware()
  return deviceStatus(in: call) { () throws(AudioError) in
    let size = try AudioObjects.size(object, address, .init(start: nil, count: 0))
    outSize?.pointee = UInt32(clamping: size)
    outWritable?.pointee = try AudioObjects.isSettable(object, address)
  }
}

@c @implementation
public func AudioHardwareGetPropertyInfo(
  _ inPropertyID: AudioHardwarePropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
  _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  info(AudioObjectID(kAudioObjectSystemObject), system(inPropertyID), outSize, outWritable)
}

@c @implementation
public func AudioHardwareGetProperty(
  _ inPropertyID: AudioHardwarePropertyID, _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>,
  _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  var address = system(inPropertyID)
  return AudioObjectGetPropertyData(
    AudioObjectID(kAudioObjectSystemObject), &address, 0, nil, ioPropertyDataSize, outPropertyData)
}

@c @implementation
public func AudioHardwareSetProperty(
  _ inPropertyID: AudioHardwarePropertyID, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  var address = system(inPropertyID)
  return AudioObjectSetPropertyData(
    AudioObjectID(kAudioObjectSystemObject), &address, 0, nil, inPropertyDataSize, inPropertyData)
}

@c @implementation
public func AudioHardwareAddPropertyListener(
  _ inPropertyID: AudioHardwarePropertyID, _ inProc: AudioHardwarePropertyListenerProc,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try OlderListeners.shared.add(
      AudioObjectID(kAudioObjectSystemObject), system(inPropertyID), .system(inProc), inClientData)
  }
}

@c @implementation
public func AudioHardwareRemovePropertyListener(
  _ inPropertyID: AudioHardwarePropertyID, _ inProc: AudioHardwarePropertyListenerProc
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try OlderListeners.shared.remove(
      AudioObjectID(kAudioObjectSystemObject), system(inPropertyID), .system(inProc))
  }
}

@c @implementation
public func AudioDeviceGetPropertyInfo(
  _ inDevice: AudioDeviceID, _ inChannel: UInt32, _ isInput: Bool,
  _ inPropertyID: AudioDevicePropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
  _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  info(inDevice, device(inPropertyID, isInput, inChannel), outSize, outWritable)
}

@c @implementation
public func AudioDeviceGetProperty(
  _ inDevice: AudioDeviceID, _ inChannel: UInt32, _ isInput: Bool,
  _ inPropertyID: AudioDevicePropertyID, _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>,
  _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  var address = device(inPropertyID, isInput, inChannel)
  return AudioObjectGetPropertyData(
    inDevice, &address, 0, nil, ioPropertyDataSize, outPropertyData)
}

@c @implementation
public func AudioDeviceSetProperty(
  _ inDevice: AudioDeviceID, _ inWhen: UnsafePointer<AudioTimeStamp>?, _ inChannel: UInt32,
  _ isInput: Bool, _ inPropertyID: AudioDevicePropertyID, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  var address = device(inPropertyID, isInput, inChannel)
  return AudioObjectSetPropertyData(
    inDevice, &address, 0, nil, inPropertyDataSize, inPropertyData)
}

@c @implementation
public func AudioDeviceAddPropertyListener(
  _ inDevice: AudioDeviceID, _ inChannel: UInt32, _ isInput: Bool,
  _ inPropertyID: AudioDevicePropertyID, _ inProc: AudioDevicePropertyListenerProc,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try OlderListeners.shared.add(
      inDevice, device(inPropertyID, isInput, inChannel), .device(inProc), inClientData)
  }
}

@c @implementation
public func AudioDeviceRemovePropertyListener(
  _ inDevice: AudioDeviceID, _ inChannel: UInt32, _ isInput: Bool,
  _ inPropertyID: AudioDevicePropertyID, _ inProc: AudioDevicePropertyListenerProc
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try OlderListeners.shared.remove(
      inDevice, device(inPropertyID, isInput, inChannel), .device(inProc))
  }
}

@c @implementation
public func AudioDeviceAddIOProc(
  _ inDevice: AudioDeviceID, _ inProc: AudioDeviceIOProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try DeviceIOs.addByAddress(inProc, inClientData, to: inDevice)
  }
}

@c @implementation
public func AudioDeviceRemoveIOProc(_ inDevice: AudioDeviceID, _ inProc: AudioDeviceIOProc)
  -> OSStatus
{
  AudioDeviceDestroyIOProcID(inDevice, inProc)
}

/// The address of a stream's property; streams have only the global scope.
private func stream(_ selector: AudioDevicePropertyID, _ channel: UInt32)
  -> AudioObjectPropertyAddress
{
  AudioObjectPropertyAddress(
    mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal, mElement: channel)
}

@c @implementation
public func AudioStreamGetPropertyInfo(
  _ inStream: AudioStreamID, _ inChannel: UInt32, _ inPropertyID: AudioDevicePropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  info(inStream, stream(inPropertyID, inChannel), outSize, outWritable)
}

@c @implementation
public func AudioStreamGetProperty(
  _ inStream: AudioStreamID, _ inChannel: UInt32, _ inPropertyID: AudioDevicePropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  var address = stream(inPropertyID, inChannel)
  return AudioObjectGetPropertyData(
    inStream, &address, 0, nil, ioPropertyDataSize, outPropertyData)
}

@c @implementation
public func AudioStreamSetProperty(
  _ inStream: AudioStreamID, _ inWhen: UnsafePointer<AudioTimeStamp>?, _ inChannel: UInt32,
  _ inPropertyID: AudioDevicePropertyID, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  var address = stream(inPropertyID, inChannel)
  return AudioObjectSetPropertyData(
    inStream, &address, 0, nil, inPropertyDataSize, inPropertyData)
}

@c @implementation
public func AudioStreamAddPropertyListener(
  _ inStream: AudioStreamID, _ inChannel: UInt32, _ inPropertyID: AudioDevicePropertyID,
  _ inProc: AudioStreamPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try OlderListeners.shared.add(
      inStream, stream(inPropertyID, inChannel), .stream(inProc), inClientData)
  }
}

@c @implementation
public func AudioStreamRemovePropertyListener(
  _ inStream: AudioStreamID, _ inChannel: UInt32, _ inPropertyID: AudioDevicePropertyID,
  _ inProc: AudioStreamPropertyListenerProc
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try OlderListeners.shared.remove(
      inStream, stream(inPropertyID, inChannel), .stream(inProc))
  }
}

@c @implementation
public func AudioHardwareUnload() -> OSStatus {
  DeviceIOs.stopAll()
  return noErr
}
