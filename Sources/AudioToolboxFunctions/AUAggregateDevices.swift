// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
public import CoreAudio
public import Foundation

// The functions of AUAggregateDevices.h.

@_cdecl("AUAggregateDevicesCopyDescriptions")
public func _AUAggregateDevicesCopyDescriptions() -> UnsafeRawPointer {
  Library.start()
  return Bridge.current.retainedPropertyList(.array(Aggregates.descriptions))
}

@_cdecl("AUAggregateDevicesDestroy")
public func _AUAggregateDevicesDestroy(_ inUID: UnsafeRawPointer) -> OSStatus {
  Library.start()
  return deviceStatus(in: "AUAggregateDevicesDestroy") { () throws(AudioError) in
    guard !isNull(inUID) else { throw .null("inUID") }
    guard let uid = Bridge.current.string(inUID) else {
      throw .invalidArgument.because("inUID is not a CFString")
    }
    try Aggregates.destroy(uid: uid)
  }
}

/// The descriptions of all aggregate devices of the user and of this process, whether their parts
/// are available or not, in the form of `AudioHardwareCreateAggregateDevice`; the caller releases
/// the array. [control thread]
public func AUAggregateDevicesCopyDescriptions() -> Unmanaged<CFArray> {
  Unmanaged.fromOpaque(_AUAggregateDevicesCopyDescriptions())
}

/// Destroys the aggregate device with the UID of a description, whether its parts are available or
/// not. [control thread]
public func AUAggregateDevicesDestroy(_ inUID: CFString) -> OSStatus {
  withExtendedLifetime(inUID) {
    _AUAggregateDevicesDestroy(Unmanaged.passUnretained(inUID).toOpaque())
  }
}
