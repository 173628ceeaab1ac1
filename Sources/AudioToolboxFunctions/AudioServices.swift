// SPDX-License-Identifier: Apache-2.0
import AudioQueues
import AudioSupport
public import CoreAudio
public import Foundation

// The functions of AudioServices.h.

@_cdecl("AudioServicesCreateSystemSoundID")
public func _AudioServicesCreateSystemSoundID(
  _ inFileURL: UnsafeRawPointer, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>
) -> OSStatus {
  Library.start()
  return deviceStatus(in: "AudioServicesCreateSystemSoundID") { () throws(AudioError) in
    guard !isNull(outSystemSoundID) else { throw .null("outSystemSoundID") }
    outSystemSoundID.pointee = 0
    let path = try path(of: inFileURL, "inFileURL")
    outSystemSoundID.pointee = try SystemSounds.shared.make(path)
  }
}

/// Creates a sound from a file of at most 30 seconds. [control thread]
@discardableResult
public func AudioServicesCreateSystemSoundID(
  _ inFileURL: CFURL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>
) -> OSStatus {
  withExtendedLifetime(inFileURL) {
    _AudioServicesCreateSystemSoundID(
      Unmanaged.passUnretained(inFileURL).toOpaque(), outSystemSoundID)
  }
}

@c @implementation
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
  deviceStatus { () throws(AudioError) in try SystemSounds.shared.dispose(inSystemSoundID) }
}

// MARK: Playing

/// A block of a program; it is called once, on our own thread.
private struct SoundBlock: @unchecked Sendable {
  let block: () -> Void
}

private func play(_ id: SystemSoundID, _ block: (() -> Void)?) {
  Library.start()
  guard let block else { return SystemSounds.shared.play(id, completion: nil) }
  let completion = SoundBlock(block: block)
  SystemSounds.shared.play(id) { completion.block() }
}

@c @implementation
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
  play(inSystemSoundID, nil)
}

@c @implementation
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
  play(inSystemSoundID, nil)
}

/// Plays a sound; the block is called when it has ended, or could not be played. [control thread]
///
/// - Parameters:
///   - inSystemSoundID: the sound.
///   - inCompletionBlock: called on a thread of the library, or null.
public func AudioServicesPlaySystemSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  play(inSystemSoundID, inCompletionBlock)
}

/// Plays an alert sound; the block is called when it has ended, or could not be played. [control
/// thread]
///
/// - Parameters:
///   - inSystemSoundID: the sound.
///   - inCompletionBlock: called on a thread of the library, or null.
public func AudioServicesPlayAlertSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  play(inSystemSoundID, inCompletionBlock)
}

// MARK: Completion

@_cdecl("AudioServicesAddSystemSoundCompletion")
public func _AudioServicesAddSystemSoundCompletion(
  _ inSystemSoundID: SystemSoundID, _ inRunLoop: UnsafeRawPointer?,
  _ inRunLoopMode: UnsafeRawPointer?,
  _ inCompletionRoutine: @escaping AudioServicesSystemSoundCompletionProc,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  deviceStatus(in: "AudioServicesAddSystemSoundCompletion") { () throws(AudioError) in
    guard !isNull(function: inCompletionRoutine) else { throw .null("inCompletionRoutine") }
    let arguments = try runLoopArguments(inRunLoop, inRunLoopMode)
    let executor = RunLoopExecutor.orMain(arguments.runLoop, arguments.mode)
    // A closure that is Sendable can capture the address only as a number.
    let data = UInt(bitPattern: inClientData)
    try SystemSounds.shared.addCompletion(inSystemSoundID, on: executor) {
      inCompletionRoutine($0, UnsafeMutableRawPointer(bitPattern: data))
    }
  }
}

/// Sets the function that is called whenever a sound has ended, on a run loop, in a mode; nil: the
/// main thread's run loop, the default mode. [control thread]
@discardableResult
public func AudioServicesAddSystemSoundCompletion(
  _ inSystemSoundID: SystemSoundID, _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CFString?,
  _ inCompletionRoutine: @escaping AudioServicesSystemSoundCompletionProc,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  withExtendedLifetime((inRunLoop, inRunLoopMode)) {
    _AudioServicesAddSystemSoundCompletion(
      inSystemSoundID, address(inRunLoop), address(inRunLoopMode), inCompletionRoutine,
      inClientData)
  }
}

@c @implementation
public func AudioServicesRemoveSystemSoundCompletion(_ inSystemSoundID: SystemSoundID) {
  SystemSounds.shared.removeCompletion(inSystemSoundID)
}

// MARK: Properties

private func specifier(_ size: UInt32, _ memory: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: memory, count: memory == nil ? 0 : Int(size))
}

private let badSize = AudioError(status: kAudioServicesBadPropertySizeError)

@c @implementation
public func AudioServicesGetPropertyInfo(
  _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeRawPointer?, _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?,
  _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    try SystemSounds.shared.checkProperty(
      inPropertyID, specifier(inSpecifierSize, inSpecifier))
    outPropertyDataSize?.pointee = 4
    outWritable?.pointee = true
  }
}

@c @implementation
public func AudioServicesGetProperty(
  _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeRawPointer?, _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>,
  _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(ioPropertyDataSize) else { throw .null("ioPropertyDataSize") }
    let value = try SystemSounds.shared.property(
      inPropertyID, specifier(inSpecifierSize, inSpecifier))
    guard let outPropertyData else {
      ioPropertyDataSize.pointee = 4
      return
    }
    guard ioPropertyDataSize.pointee >= 4 else {
      throw badSize.because("there is room for \(ioPropertyDataSize.pointee) bytes; UInt32 has 4")
    }
    outPropertyData.storeBytes(of: value, as: UInt32.self)
    ioPropertyDataSize.pointee = 4
  }
}

@c @implementation
public func AudioServicesSetProperty(
  _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeRawPointer?, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(inPropertyData) else { throw .null("inPropertyData") }
    guard inPropertyDataSize == 4 else {
      throw badSize.because("\(inPropertyDataSize) bytes; UInt32 has 4")
    }
    try SystemSounds.shared.setProperty(
      inPropertyID, specifier(inSpecifierSize, inSpecifier),
      to: inPropertyData.loadUnaligned(as: UInt32.self))
  }
}
