// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
public import CoreAudio
public import Foundation

// The functions of AUDevices.h.

@c @implementation
public func AUDevicesAddListener(
  _ inProc: @escaping AUDevicesListenerProc, _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  Library.start()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    BackEndListeners.add(inProc, inUserData)
  }
}

@c @implementation
public func AUDevicesRemoveListener(
  _ inProc: @escaping AUDevicesListenerProc, _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try BackEndListeners.remove(inProc, inUserData)
  }
}

@c @implementation
public func AUDevicesSetPreferences(_ inSampleRate: Float64, _ inCycleFrames: UInt32) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard inSampleRate.isFinite, inSampleRate >= 0 else {
      throw .invalidArgument.because("\(inSampleRate) frames per second")
    }
    let most = UInt32(kAUDevicesMaximumCycleFrames)
    guard inCycleFrames <= most else {
      throw .invalidArgument.because("\(inCycleFrames) frames per cycle; expected 0 to \(most)")
    }
    BackEndReport.prefer(
      sampleRate: inSampleRate > 0 ? inSampleRate : nil,
      cycleFrames: inCycleFrames > 0 ? Int(inCycleFrames) : nil)
  }
}

@_cdecl("AUDevicesCopyBackEnds")
public func _AUDevicesCopyBackEnds(_ inName: UnsafeRawPointer?) -> UnsafeRawPointer {
  Library.start()
  let name = inName.flatMap { Bridge.current.string($0) }
  // An object that is no string names no back end.
  let isUnknown = inName != nil && name == nil
  return Bridge.current.retainedPropertyList(
    .array(isUnknown ? [] : BackEndReport.descriptions(of: name)))
}

@_cdecl("AUDevicesCopyChosenUID")
public func _AUDevicesCopyChosenUID(_ outUID: UnsafeMutablePointer<UnsafeRawPointer?>) -> OSStatus {
  Library.start()
  return deviceStatus(in: "AUDevicesCopyChosenUID") { () throws(AudioError) in
    guard !isNull(outUID) else { throw .null("outUID") }
    outUID.pointee = nil
    outUID.pointee = try BackEndReport.chosenUID().map { Bridge.current.retainedString($0) }
  }
}

/// The back ends with their devices, in the order in which they are preferred, or the only one with
/// a name: dictionaries with the keys of AUDevices.h. The caller releases the array. [control
/// thread]
public func AUDevicesCopyBackEnds(_ inName: CFString?) -> Unmanaged<CFArray> {
  withExtendedLifetime(inName) {
    Unmanaged.fromOpaque(
      _AUDevicesCopyBackEnds(
        inName.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    )
  }
}

/// The UID of the device that programs get if they name none, nil if the back end has no device. The
/// caller releases the string. [control thread]
///
/// - Returns: An error if no back end can be used.
public func AUDevicesCopyChosenUID(_ outUID: UnsafeMutablePointer<Unmanaged<CFString>?>) -> OSStatus
{
  guard !isNull(outUID) else {
    return deviceStatus(in: "AUDevicesCopyChosenUID") { () throws(AudioError) in
      throw .null("outUID")
    }
  }
  var uid: UnsafeRawPointer?
  let status = _AUDevicesCopyChosenUID(&uid)
  outUID.pointee = uid.map { Unmanaged.fromOpaque($0) }
  return status
}
