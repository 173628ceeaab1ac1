// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CoreAudio
public import Foundation
import PlugInDiscovery

// The functions of AUPlugIns.h.

@c @implementation
public func AUPlugInsEnable(_ inFormats: AUPlugInFormats) -> OSStatus {
  status { () throws(AudioError) in try Library.plugIns.enable(inFormats) }
}

@c @implementation
public func AUPlugInsGetEnabled() -> AUPlugInFormats { Library.plugIns.enabled }

@c @implementation
public func AUPlugInsScan(_ inOptions: AUPlugInScanOptions) -> OSStatus {
  status { () throws(AudioError) in
    try Library.plugIns.scan(everything: inOptions.contains(.everything))
  }
}

@_cdecl("AUPlugInsSetBlocked")
public func _AUPlugInsSetBlocked(_ inIdentifier: UnsafeRawPointer, _ inIsBlocked: Bool) -> OSStatus
{
  status(in: "AUPlugInsSetBlocked") { () throws(AudioError) in
    guard !isNull(inIdentifier), let identifier = Bridge.current.string(inIdentifier) else {
      throw .invalidArgument.because("inIdentifier is not a CFString")
    }
    try Library.plugIns.setBlocked(inIsBlocked, identifier)
  }
}

/// Blocks the file that contains a plug-in, or permits it again. [control thread]
@discardableResult
public func AUPlugInsSetBlocked(_ inIdentifier: CFString, _ inIsBlocked: Bool) -> OSStatus {
  _AUPlugInsSetBlocked(
    UnsafeRawPointer(Unmanaged.passUnretained(inIdentifier).toOpaque()), inIsBlocked)
}

@_cdecl("AUPlugInsCopyCachePath")
public func _AUPlugInsCopyCachePath() -> UnsafeRawPointer? {
  Library.plugIns.cachePath.map { Bridge.current.retainedString($0) }
}

/// The path of the file in which the results of scans are kept; the caller releases it. [any thread]
public func AUPlugInsCopyCachePath() -> Unmanaged<CFString>? {
  _AUPlugInsCopyCachePath().map { Unmanaged.fromOpaque($0) }
}

@_cdecl("AUPlugInsCopyList")
public func _AUPlugInsCopyList() -> UnsafeRawPointer {
  Bridge.current.retainedPropertyList(.array(Library.plugIns.list.map(\.propertyList)))
}

/// All plug-ins of the enabled formats, as dictionaries with the keys of AUPlugIns.h; the caller
/// releases the array. [control thread]
public func AUPlugInsCopyList() -> Unmanaged<CFArray> {
  Unmanaged.fromOpaque(_AUPlugInsCopyList())
}

extension FoundPlugIn {
  /// A dictionary with the keys of AUPlugIns.h.
  fileprivate var propertyList: PropertyList {
    var entries: [String: PropertyList] = [
      kAUPlugInNameKey: .string(name), kAUPlugInFormatKey: .integer(Int(format.rawValue)),
      kAUPlugInPathKey: .string(path), kAUPlugInIdentifierKey: .string(identifier),
      kAUPlugInTypeKey: .integer(Int(codes.componentType)),
      kAUPlugInSubtypeKey: .integer(Int(codes.componentSubType)),
      kAUPlugInManufacturerKey: .integer(Int(codes.componentManufacturer)),
      kAUPlugInIsBlockedKey: .bool(isBlocked),
    ]
    if !reason.isEmpty { entries[kAUPlugInReasonKey] = .string(reason) }
    return .dictionary(entries)
  }
}
