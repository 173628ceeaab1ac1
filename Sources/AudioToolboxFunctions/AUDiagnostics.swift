// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio
public import Foundation

// The functions of AUDiagnostics.h.

@_cdecl("AUDiagnosticsCopyLastExplanation")
public func _AUDiagnosticsCopyLastExplanation() -> UnsafeRawPointer? {
  Library.start()
  return Explanations.last.map { Bridge.current.retainedString($0) }
}

@_cdecl("AUDiagnosticsCopyDescription")
public func _AUDiagnosticsCopyDescription(_ inStatus: OSStatus) -> UnsafeRawPointer {
  Library.start()
  guard let entry = StatusName.of(inStatus) else {
    return Bridge.current.retainedString("\(StatusName.text(inStatus)): not a code of this library")
  }
  return Bridge.current.retainedString(
    "\(entry.name) (\(entry.code)): \(entry.meaning) \(entry.advice)")
}

@_cdecl("AUDiagnosticsCopyReason")
public func _AUDiagnosticsCopyReason(_ inStatus: OSStatus) -> UnsafeRawPointer {
  Library.start()
  return Bridge.current.retainedString(Explanations.reason(after: inStatus))
}

@c @implementation
public func AUDiagnosticsGetStatusCount() -> UInt32 {
  UInt32(clamping: Library.statusNames.count)
}

@_cdecl("AUDiagnosticsCopyStatusAtIndex")
public func _AUDiagnosticsCopyStatusAtIndex(
  _ inIndex: UInt32, _ outStatus: UnsafeMutablePointer<OSStatus>,
  _ outName: UnsafeMutablePointer<UnsafeRawPointer?>,
  _ outMeaning: UnsafeMutablePointer<UnsafeRawPointer?>
) -> OSStatus {
  status(in: "AUDiagnosticsCopyStatusAtIndex") { () throws(AudioError) in
    guard !isNull(outStatus) else { throw .null("outStatus") }
    guard !isNull(outName) else { throw .null("outName") }
    guard !isNull(outMeaning) else { throw .null("outMeaning") }
    (outName.pointee, outMeaning.pointee) = (nil, nil)
    let names = Library.statusNames
    guard inIndex < names.count else {
      throw .invalidArgument.because("status \(inIndex) of \(names.count)")
    }
    let entry = names[Int(inIndex)]
    outStatus.pointee = entry.code
    outName.pointee = Bridge.current.retainedString(entry.name)
    outMeaning.pointee = Bridge.current.retainedString("\(entry.meaning) \(entry.advice)")
  }
}

@c @implementation
public func AUDiagnosticsGetPropertyCount() -> UInt32 {
  UInt32(clamping: PropertyNames.ofUnits.count)
}

@_cdecl("AUDiagnosticsCopyPropertyAtIndex")
public func _AUDiagnosticsCopyPropertyAtIndex(
  _ inUnit: AudioUnit?, _ inIndex: UInt32, _ outID: UnsafeMutablePointer<AudioUnitPropertyID>,
  _ outFlags: UnsafeMutablePointer<UInt32>, _ outName: UnsafeMutablePointer<UnsafeRawPointer?>,
  _ outType: UnsafeMutablePointer<UnsafeRawPointer?>
) -> OSStatus {
  Library.start()
  return status(in: "AUDiagnosticsCopyPropertyAtIndex") { () throws(AudioError) in
    guard !isNull(outID) else { throw .null("outID") }
    guard !isNull(outFlags) else { throw .null("outFlags") }
    guard !isNull(outName) else { throw .null("outName") }
    guard !isNull(outType) else { throw .null("outType") }
    (outName.pointee, outType.pointee) = (nil, nil)
    let ids = PropertyNames.ofUnits
    guard inIndex < ids.count else {
      throw .invalidArgument.because("property \(inIndex) of \(ids.count)")
    }
    let id = ids[Int(inIndex)]
    var row = UnitProperty.ofEveryUnit(id)
    var mayExist = true
    if let inUnit {
      guard let unit = Handles.units.enter(inUnit) else { throw .staleUnit }
      defer { Handles.units.leave(inUnit) }
      if let native = unit.takeUnretainedValue() as? NativeUnit {
        row = try native.allProperties().first { $0.id == id }
        mayExist = row != nil
      }
    }
    var flags = mayExist ? UInt32(kAUDiagnosticsPropertyFlag_MayExist) : 0
    if let row {
      if row.addressing == .parameter {
        flags |= UInt32(kAUDiagnosticsPropertyFlag_ElementIsParameter)
      }
      if row.takesInput { flags |= UInt32(kAUDiagnosticsPropertyFlag_ReadingTakesArgument) }
    }
    let type = row?.typeName ?? ""
    (outID.pointee, outFlags.pointee) = (id, flags)
    outName.pointee = Bridge.current.retainedString(PropertyNames.name(id))
    outType.pointee = Bridge.current.retainedString(type.hasPrefix("CF") ? "\(type)Ref" : type)
  }
}

/// Why the last failed call of this thread failed: unit, scope, element and value, and what was
/// expected. Nil when no call failed; the caller releases the string. [any thread]
public func AUDiagnosticsCopyLastExplanation() -> Unmanaged<CFString>? {
  _AUDiagnosticsCopyLastExplanation().map { Unmanaged.fromOpaque($0) }
}

/// The name of a status code, its meaning and what to do; the caller releases the string. [any
/// thread]
public func AUDiagnosticsCopyDescription(_ inStatus: OSStatus) -> Unmanaged<CFString> {
  Unmanaged.fromOpaque(_AUDiagnosticsCopyDescription(inStatus))
}

/// Why the last failed call of this thread failed, for people who did not write the call; the
/// meaning of the code when no call failed. The caller releases the string. [any thread]
public func AUDiagnosticsCopyReason(_ inStatus: OSStatus) -> Unmanaged<CFString> {
  Unmanaged.fromOpaque(_AUDiagnosticsCopyReason(inStatus))
}

/// One of the status codes of this library: the code, its C constant, and its meaning with what to
/// do about it; the caller releases the strings. [any thread]
///
/// - Returns: `kAudio_ParamError` unless the index is below `AUDiagnosticsGetStatusCount()`.
public func AUDiagnosticsCopyStatusAtIndex(
  _ inIndex: UInt32, _ outStatus: UnsafeMutablePointer<OSStatus>,
  _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>,
  _ outMeaning: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
  guard !isNull(outName), !isNull(outMeaning) else {
    return status(in: "AUDiagnosticsCopyStatusAtIndex") { () throws(AudioError) in
      throw .null(isNull(outName) ? "outName" : "outMeaning")
    }
  }
  var (name, meaning): (UnsafeRawPointer?, UnsafeRawPointer?)
  let status = _AUDiagnosticsCopyStatusAtIndex(inIndex, outStatus, &name, &meaning)
  outName.pointee = name.map { Unmanaged.fromOpaque($0) }
  outMeaning.pointee = meaning.map { Unmanaged.fromOpaque($0) }
  return status
}

/// One of the properties of units that the headers of this library declare: the property, flags
/// (`kAUDiagnosticsPropertyFlag_…`), its C constant and the C type of its value; the caller releases
/// the strings. Without a unit, it describes the property of any unit. [any thread]
///
/// - Returns: `kAudio_ParamError` unless the index is below `AUDiagnosticsGetPropertyCount()`.
public func AUDiagnosticsCopyPropertyAtIndex(
  _ inUnit: AudioUnit?, _ inIndex: UInt32, _ outID: UnsafeMutablePointer<AudioUnitPropertyID>,
  _ outFlags: UnsafeMutablePointer<UInt32>, _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>,
  _ outType: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
  guard !isNull(outName), !isNull(outType) else {
    return status(in: "AUDiagnosticsCopyPropertyAtIndex") { () throws(AudioError) in
      throw .null(isNull(outName) ? "outName" : "outType")
    }
  }
  var (name, type): (UnsafeRawPointer?, UnsafeRawPointer?)
  let status = _AUDiagnosticsCopyPropertyAtIndex(inUnit, inIndex, outID, outFlags, &name, &type)
  outName.pointee = name.map { Unmanaged.fromOpaque($0) }
  outType.pointee = type.map { Unmanaged.fromOpaque($0) }
  return status
}
