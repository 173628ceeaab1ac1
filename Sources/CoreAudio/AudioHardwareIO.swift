// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
public import CAudioToolbox
import CRealTime
import CoreFoundationBridge

// The functions of AudioHardwareIO.h.

/// An IO proc ID as a number; 0 for none.
private func number(_ id: AudioDeviceIOProcID?) -> UInt {
  id.map { unsafeBitCast($0, to: UInt.self) } ?? 0
}

@c @implementation
public func AudioDeviceCreateIOProcID(
  _ inDevice: AudioObjectID, _ inProc: AudioDeviceIOProc, _ inClientData: UnsafeMutableRawPointer?,
  _ outIOProcID: UnsafeMutablePointer<AudioDeviceIOProcID?>
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    guard !isNull(outIOProcID) else { throw .null("outIOProcID") }
    let id = try DeviceIOs.add(inProc, inClientData, to: inDevice)
    outIOProcID.pointee = unsafeBitCast(id, to: AudioDeviceIOProcID?.self)
  }
}

@c @implementation
public func AudioDeviceDestroyIOProcID(
  _ inDevice: AudioObjectID, _ inIOProcID: AudioDeviceIOProcID
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(function: inIOProcID) else { throw .null("inIOProcID") }
    try DeviceIOs.remove(number(inIOProcID), from: inDevice)
  }
}

@c @implementation
public func AudioDeviceStart(_ inDevice: AudioObjectID, _ inProcID: AudioDeviceIOProcID?)
  -> OSStatus
{
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    try DeviceIOs.start(number(inProcID), on: inDevice)
  }
}

@c @implementation
public func AudioDeviceStartAtTime(
  _ inDevice: AudioObjectID, _ inProcID: AudioDeviceIOProcID?,
  _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>?, _ inFlags: UInt32
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard let time = ioRequestedStartTime else {
      return try DeviceIOs.start(number(inProcID), on: inDevice)
    }
    time.pointee = try DeviceIOs.start(number(inProcID), on: inDevice, at: time.pointee)
  }
}

@c @implementation
public func AudioDeviceStop(_ inDevice: AudioObjectID, _ inProcID: AudioDeviceIOProcID?)
  -> OSStatus
{
  deviceStatus { () throws(AudioError) in try DeviceIOs.stop(number(inProcID), on: inDevice) }
}

@c @implementation
public func AudioDeviceGetCurrentTime(
  _ inDevice: AudioObjectID, _ outTime: UnsafeMutablePointer<AudioTimeStamp>
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(outTime) else { throw .null("outTime") }
    outTime.pointee = try DeviceIOs.now(inDevice)
  }
}

@c @implementation
public func AudioDeviceTranslateTime(
  _ inDevice: AudioObjectID, _ inTime: UnsafePointer<AudioTimeStamp>,
  _ outTime: UnsafeMutablePointer<AudioTimeStamp>
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(inTime) else { throw .null("inTime") }
    guard !isNull(outTime) else { throw .null("outTime") }
    outTime.pointee = try DeviceIOs.translate(
      inTime.pointee, outTime.pointee.mFlags, on: inDevice)
  }
}

@c @implementation
public func AudioDeviceGetNearestStartTime(
  _ inDevice: AudioObjectID, _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>,
  _ inFlags: UInt32
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(ioRequestedStartTime) else { throw .null("ioRequestedStartTime") }
    ioRequestedStartTime.pointee = try DeviceIOs.nearestStart(
      ioRequestedStartTime.pointee, on: inDevice)
  }
}

@c @implementation
public func AudioDeviceRead(
  _ inDevice: AudioObjectID, _ inStartTime: UnsafePointer<AudioTimeStamp>,
  _ outData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(inStartTime) else { throw .null("inStartTime") }
    guard !isNull(outData) else { throw .null("outData") }
    try DeviceIOs.read(inDevice, from: inStartTime.pointee, into: outData)
  }
}
