// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
public import CAudioToolbox
import CRealTime
import CoreFoundationBridge
public import Foundation

// The functions of AudioHardwareAggregate.h.

@_cdecl("AudioHardwareCreateAggregateDevice")
public func createAggregateDevice(
  _ inDescription: UnsafeRawPointer?, _ outDeviceID: UnsafeMutablePointer<AudioObjectID>?
) -> OSStatus {
  beginHardware()
  return deviceStatus(in: "AudioHardwareCreateAggregateDevice") { () throws(AudioError) in
    guard let inDescription else { throw .null("inDescription") }
    guard let outDeviceID else { throw .null("outDeviceID") }
    outDeviceID.pointee = try Aggregates.create(inDescription)
  }
}

@c @implementation
public func AudioHardwareDestroyAggregateDevice(_ inDeviceID: AudioObjectID) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in try Aggregates.destroy(inDeviceID) }
}

/// Creates an aggregate device from a Swift dictionary. [control thread]
@discardableResult
public func AudioHardwareCreateAggregateDevice(
  _ inDescription: NSDictionary, _ outDeviceID: UnsafeMutablePointer<AudioObjectID>
) -> OSStatus {
  createAggregateDevice(
    UnsafeRawPointer(Unmanaged.passUnretained(inDescription).toOpaque()), outDeviceID)
}
