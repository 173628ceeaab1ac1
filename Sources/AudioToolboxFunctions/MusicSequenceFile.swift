// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CoreAudio
public import Foundation
import MusicSequences

// The functions of MusicPlayer.h with types of Core Foundation.

/// The bytes of a CFData.
private func bytes(of data: UnsafeRawPointer, _ argument: String) throws(AudioError) -> [UInt8] {
  guard !isNull(data) else { throw .null(argument) }
  guard case .data(let bytes)? = Bridge.current.propertyList(data) else {
    throw .invalidArgument.because("\(argument) is not a CFData")
  }
  return bytes
}

private func checkFileType(_ type: UInt32) throws(AudioError) {
  let known = [MusicSequenceFileTypeID.anyType, .midiType]
  guard known.contains(where: { $0.rawValue == type }) else {
    throw .invalidArgument.because("file type '\(FourCharacterCode(type))'; expected 'midi'")
  }
}

// MARK: Loading

@_cdecl("MusicSequenceFileLoad")
public func _MusicSequenceFileLoad(
  _ inSequence: MusicSequence, _ inFileRef: UnsafeRawPointer, _ inFileTypeHint: UInt32,
  _ inFlags: UInt32
) -> OSStatus {
  status(sequence: inSequence, in: "MusicSequenceFileLoad") { sequence throws(AudioError) in
    try checkFileType(inFileTypeHint)
    let bytes = try FileBytes.read(
      path(of: inFileRef, "inFileRef"), limit: MIDIFileReader.byteLimit)
    try sequence.load(bytes, separatesChannels: inFlags & 1 != 0)
  }
}

/// Loads a Standard MIDI File into a sequence. [control thread]
public func MusicSequenceFileLoad(
  _ inSequence: MusicSequence, _ inFileRef: CFURL, _ inFileTypeHint: MusicSequenceFileTypeID,
  _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
  withExtendedLifetime(inFileRef) {
    _MusicSequenceFileLoad(
      inSequence, Unmanaged.passUnretained(inFileRef).toOpaque(), inFileTypeHint.rawValue,
      inFlags.rawValue)
  }
}

@_cdecl("MusicSequenceFileLoadData")
public func _MusicSequenceFileLoadData(
  _ inSequence: MusicSequence, _ inData: UnsafeRawPointer, _ inFileTypeHint: UInt32,
  _ inFlags: UInt32
) -> OSStatus {
  status(sequence: inSequence, in: "MusicSequenceFileLoadData") { sequence throws(AudioError) in
    try checkFileType(inFileTypeHint)
    try sequence.load(bytes(of: inData, "inData"), separatesChannels: inFlags & 1 != 0)
  }
}

/// Loads a Standard MIDI File from memory. [control thread]
public func MusicSequenceFileLoadData(
  _ inSequence: MusicSequence, _ inData: CFData, _ inFileTypeHint: MusicSequenceFileTypeID,
  _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
  withExtendedLifetime(inData) {
    _MusicSequenceFileLoadData(
      inSequence, Unmanaged.passUnretained(inData).toOpaque(), inFileTypeHint.rawValue,
      inFlags.rawValue)
  }
}

@_cdecl("MusicSequenceLoadSMFDataWithFlags")
public func _MusicSequenceLoadSMFDataWithFlags(
  _ inSequence: MusicSequence, _ inData: UnsafeRawPointer, _ inFlags: UInt32
) -> OSStatus { _MusicSequenceFileLoadData(inSequence, inData, 0, inFlags) }

/// The older form of `MusicSequenceFileLoadData`. [control thread]
public func MusicSequenceLoadSMFDataWithFlags(
  _ inSequence: MusicSequence, _ inData: CFData, _ inFlags: MusicSequenceLoadFlags
) -> OSStatus { MusicSequenceFileLoadData(inSequence, inData, .anyType, inFlags) }

// MARK: Saving

@_cdecl("MusicSequenceFileCreate")
public func _MusicSequenceFileCreate(
  _ inSequence: MusicSequence, _ inFileRef: UnsafeRawPointer, _ inFileType: UInt32,
  _ inFlags: UInt32, _ inResolution: Int16
) -> OSStatus {
  status(sequence: inSequence, in: "MusicSequenceFileCreate") { sequence throws(AudioError) in
    try checkFileType(inFileType)
    let path = try path(of: inFileRef, "inFileRef")
    try FileBytes.write(
      MIDIFileWriter.bytes(of: sequence, resolution: inResolution), to: path,
      replaces: inFlags & 1 != 0)
  }
}

/// Writes a Standard MIDI File. [control thread]
public func MusicSequenceFileCreate(
  _ inSequence: MusicSequence, _ inFileRef: CFURL, _ inFileType: MusicSequenceFileTypeID,
  _ inFlags: MusicSequenceFileFlags, _ inResolution: Int16
) -> OSStatus {
  withExtendedLifetime(inFileRef) {
    _MusicSequenceFileCreate(
      inSequence, Unmanaged.passUnretained(inFileRef).toOpaque(), inFileType.rawValue,
      inFlags.rawValue, inResolution)
  }
}

@_cdecl("MusicSequenceFileCreateData")
public func _MusicSequenceFileCreateData(
  _ inSequence: MusicSequence, _ inFileType: UInt32, _ inFlags: UInt32, _ inResolution: Int16,
  _ outData: UnsafeMutablePointer<UnsafeRawPointer?>
) -> OSStatus {
  status(sequence: inSequence, in: "MusicSequenceFileCreateData") { sequence throws(AudioError) in
    guard !isNull(outData) else { throw .null("outData") }
    outData.pointee = nil
    try checkFileType(inFileType)
    outData.pointee = Bridge.current.retainedPropertyList(
      .data(try MIDIFileWriter.bytes(of: sequence, resolution: inResolution)))
  }
}

/// Writes a Standard MIDI File to memory. [control thread]
public func MusicSequenceFileCreateData(
  _ inSequence: MusicSequence, _ inFileType: MusicSequenceFileTypeID,
  _ inFlags: MusicSequenceFileFlags, _ inResolution: Int16,
  _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>
) -> OSStatus {
  var data: UnsafeRawPointer?
  let status = _MusicSequenceFileCreateData(
    inSequence, inFileType.rawValue, inFlags.rawValue, inResolution, &data)
  outData.pointee = data.map { Unmanaged.fromOpaque($0) }
  return status
}

@_cdecl("MusicSequenceSaveSMFData")
public func _MusicSequenceSaveSMFData(
  _ inSequence: MusicSequence, _ outData: UnsafeMutablePointer<UnsafeRawPointer?>,
  _ inResolution: UInt16
) -> OSStatus {
  _MusicSequenceFileCreateData(inSequence, 0, 0, Int16(truncatingIfNeeded: inResolution), outData)
}

/// The older form of `MusicSequenceFileCreateData`. [control thread]
public func MusicSequenceSaveSMFData(
  _ inSequence: MusicSequence, _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>,
  _ inResolution: UInt16
) -> OSStatus {
  MusicSequenceFileCreateData(
    inSequence, .anyType, [], Int16(truncatingIfNeeded: inResolution), outData)
}

// MARK: Information

@_cdecl("MusicSequenceGetInfoDictionary")
public func _MusicSequenceGetInfoDictionary(_ inSequence: MusicSequence) -> UnsafeRawPointer {
  var info: [String: PropertyList] = [:]
  _ = status(sequence: inSequence, in: "MusicSequenceGetInfoDictionary") { info = $0.info }
  return Bridge.current.retainedPropertyList(.dictionary(info))
}

/// Texts and tempo of a sequence, under the `kAFInfoDictionary` keys. [control thread]
public func MusicSequenceGetInfoDictionary(_ inSequence: MusicSequence) -> CFDictionary {
  Unmanaged<CFDictionary>.fromOpaque(_MusicSequenceGetInfoDictionary(inSequence))
    .takeRetainedValue()
}

extension AUPresetEvent {
  /// The state of the unit.
  public var preset: Unmanaged<CFPropertyList> {
    get { Unmanaged.fromOpaque(__preset) }
    set { __preset = UnsafeRawPointer(newValue.toOpaque()) }
  }

  /// A state of a unit.
  public init(
    scope: AudioUnitScope, element: AudioUnitElement, preset: Unmanaged<CFPropertyList>
  ) {
    self.init(scope: scope, element: element, __preset: UnsafeRawPointer(preset.toOpaque()))
  }
}
