// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
public import CoreAudio

// The functions of AudioSession.h.

/// [C only] Run loop and mode are pointers, because Swift and C have no common type for them.
@_cdecl("AudioSessionInitialize")
public func _AudioSessionInitialize(
  _ inRunLoop: UnsafeRawPointer?, _ inRunLoopMode: UnsafeRawPointer?,
  _ inInterruptionListener: AudioSessionInterruptionListener?,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  deviceStatus(in: "AudioSessionInitialize") { () throws(AudioError) in
    Library.start()
    try SessionClient.shared.begin(inRunLoop, inRunLoopMode, inInterruptionListener, inClientData)
  }
}

/// Initializes the session, once per process. [control thread]
///
/// Listeners are called on the run loop, in the mode; nil: the main one, in the default mode.
@discardableResult
public func AudioSessionInitialize(
  _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CFString?,
  _ inInterruptionListener: AudioSessionInterruptionListener?,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  _AudioSessionInitialize(
    address(inRunLoop), address(inRunLoopMode), inInterruptionListener, inClientData)
}

@c @implementation
public func AudioSessionSetActive(_ active: Bool) -> OSStatus {
  deviceStatus { () throws(AudioError) in try SessionClient.shared.setActive(active, flags: 0) }
}

@c @implementation
public func AudioSessionSetActiveWithFlags(_ active: Bool, _ inFlags: UInt32) -> OSStatus {
  deviceStatus { () throws(AudioError) in try SessionClient.shared.setActive(active, flags: inFlags)
  }
}

@c @implementation
public func AudioSessionGetProperty(
  _ inID: AudioSessionPropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>,
  _ outData: UnsafeMutableRawPointer
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(ioDataSize) else { throw .null("ioDataSize") }
    guard !isNull(outData) else { throw .null("outData") }
    ioDataSize.pointee = UInt32(
      try SessionClient.shared.read(inID, into: outData, size: Int(ioDataSize.pointee)))
  }
}

@c @implementation
public func AudioSessionSetProperty(
  _ inID: AudioSessionPropertyID, _ inDataSize: UInt32, _ inData: UnsafeRawPointer
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(inData) else { throw .null("inData") }
    try Session.properties.write(
      PropertyAddress(inID), of: try SessionClient.shared.session(),
      UnsafeRawBufferPointer(start: inData, count: Int(inDataSize)))
  }
}

@c @implementation
public func AudioSessionGetPropertySize(
  _ inID: AudioSessionPropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(outDataSize) else { throw .null("outDataSize") }
    let session = try SessionClient.shared.session()
    outDataSize.pointee = UInt32(
      clamping: try Session.properties.value(PropertyAddress(inID), of: session).size)
  }
}

@c @implementation
public func AudioSessionAddPropertyListener(
  _ inID: AudioSessionPropertyID, _ inProc: AudioSessionPropertyListener,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try SessionClient.shared.add(inID, inProc, inClientData)
  }
}

@c @implementation
public func AudioSessionRemovePropertyListener(_ inID: AudioSessionPropertyID) -> OSStatus {
  deviceStatus { () throws(AudioError) in try SessionClient.shared.remove(inID) }
}

@c @implementation
public func AudioSessionRemovePropertyListenerWithUserData(
  _ inID: AudioSessionPropertyID, _ inProc: AudioSessionPropertyListener,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try SessionClient.shared.remove(inID, inProc, inClientData)
  }
}
