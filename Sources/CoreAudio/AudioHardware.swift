// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
public import CAudioToolbox
import CRealTime
import CoreFoundationBridge
import Glibc
@_spi(TrappingConversions) import CheckedNumbers

// The functions of AudioHardware.h.

@c @implementation
public func AudioObjectHasProperty(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>
) -> Bool {
  beginHardware()
  return !isNull(inAddress) && !rt_is_forked() && AudioObjects.has(inObjectID, inAddress.pointee)
}

@c @implementation
public func AudioObjectShow(_ inObjectID: AudioObjectID) {
  beginHardware()
  // Writes to C's standard output, so that the text is in order with the program's own output.
  // `puts` adds the last line break.
  puts(
    rt_is_forked()
      ? "AudioObject \(inObjectID): not to be asked after a fork"
      : String(AudioObjects.text(of: inObjectID).dropLast()))
  // Flushes only this stream: flushing all would wait for a thread that is reading a line.
  rt_flush_output()
}

@c @implementation
public func AudioObjectIsPropertySettable(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ outIsSettable: UnsafeMutablePointer<Bool>
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(inAddress) else { throw .null("inAddress") }
    guard !isNull(outIsSettable) else { throw .null("outIsSettable") }
    outIsSettable.pointee = try AudioObjects.isSettable(inObjectID, inAddress.pointee)
  }
}

@c @implementation
public func AudioObjectGetPropertyDataSize(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?,
  _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(inAddress) else { throw .null("inAddress") }
    guard !isNull(outDataSize) else { throw .null("outDataSize") }
    outDataSize.pointee = UInt32(
      clamping: try AudioObjects.size(
        inObjectID, inAddress.pointee, qualifier(inQualifierDataSize, inQualifierData)))
  }
}

@c @implementation
public func AudioObjectGetPropertyData(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?,
  _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(inAddress) else { throw .null("inAddress") }
    guard !isNull(ioDataSize) else { throw .null("ioDataSize") }
    guard !isNull(outData) else { throw .null("outData") }
    ioDataSize.pointee = UInt32(
      clamping: try AudioObjects.read(
        inObjectID, inAddress.pointee, qualifier(inQualifierDataSize, inQualifierData),
        into: outData, size: Int(ioDataSize.pointee)))
  }
}

@c @implementation
public func AudioObjectSetPropertyData(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?, _ inDataSize: UInt32,
  _ inData: UnsafeRawPointer
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(inAddress) else { throw .null("inAddress") }
    guard !isNull(inData) else { throw .null("inData") }
    try AudioObjects.write(
      inObjectID, inAddress.pointee,
      UnsafeRawBufferPointer(start: inData, count: Int(inDataSize)))
  }
}

@c @implementation
public func AudioObjectAddPropertyListener(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inListener: AudioObjectPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  beginHardware()
  return deviceStatus { () throws(AudioError) in
    guard !isNull(inAddress) else { throw .null("inAddress") }
    guard !isNull(function: inListener) else { throw .null("inListener") }
    try AudioObjectListeners.shared.add(
      inObjectID, inAddress.pointee, inListener, inClientData)
  }
}

@c @implementation
public func AudioObjectRemovePropertyListener(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inListener: AudioObjectPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(inAddress) else { throw .null("inAddress") }
    guard !isNull(function: inListener) else { throw .null("inListener") }
    try AudioObjectListeners.shared.remove(
      inObjectID, inAddress.pointee, inListener, inClientData)
  }
}

private func qualifier(_ size: UInt32, _ data: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(size))
}

/// Installs the bridge to Core Foundation and the names of status codes, once. Does nothing in a
/// forked child, because another thread may have been in the middle of it.
func beginHardware() {
  atWork {
    CoreFoundationBridge.install
    StatusFamily.add(.hardware)
  }
}
