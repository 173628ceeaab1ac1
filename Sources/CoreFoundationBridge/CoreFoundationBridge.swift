// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CoreFoundation
import Foundation

/// Reads and creates Core Foundation objects for targets that do not import Core Foundation. On
/// Linux these are Foundation's objects.
package struct CoreFoundationBridge: ObjectBridge {
  /// Installs the bridge, once; the first function of the C API that is called does so.
  package static let install: Void = { Bridge.current = CoreFoundationBridge() }()

  private func retained(_ object: AnyObject) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// Nil for a null pointer: a C structure may contain one although its Swift type excludes it.
  private func object(_ address: UnsafeRawPointer) -> AnyObject? {
    isNull(address) ? nil : Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
  }

  /// The same object as a type of Core Foundation, which is not its class in Swift: a dynamic cast
  /// would fail.
  private func collection<Collection: AnyObject>(
    _ address: UnsafeRawPointer, _: Collection.Type
  ) -> Collection {
    Unmanaged<Collection>.fromOpaque(address).takeUnretainedValue()
  }

  /// A string that the caller releases.
  package func retainedString(_ text: String) -> UnsafeRawPointer { retained(string(text)) }

  /// A string whose ASCII text `CFStringGetCStringPtr` returns, as C programs expect. An NSString
  /// made from a String does not do so.
  private func string(_ text: String) -> AnyObject {
    let bytes = Array(text.utf8)
    return CFStringCreateWithBytes(
      nil, bytes, bytes.count, CFStringBuiltInEncodings.UTF8.rawValue, false)
  }

  /// The text of a string; nil for another object.
  package func string(_ address: UnsafeRawPointer) -> String? {
    (object(address) as? NSString).map { String(describing: $0) }
  }

  /// The texts of an array of strings; nil for another object.
  package func strings(_ address: UnsafeRawPointer) -> [String]? {
    guard case .array(let entries)? = plain(address, depth: 0) else { return nil }
    return entries.compactMap(\.string)
  }

  /// The presets of an array of pointers to `AUPreset`.
  package func presets(_ address: UnsafeRawPointer) -> [FactoryPreset]? {
    guard let object = object(address), object is NSArray else { return nil }
    let array = collection(address, CoreFoundation.CFArray.self)
    return (0..<CoreFoundation.CFArrayGetCount(array)).compactMap { index in
      guard let entry = CoreFoundation.CFArrayGetValueAtIndex(array, index) else { return nil }
      let preset = entry.assumingMemoryBound(to: AUPreset.self).pointee
      return FactoryPreset(
        preset.presetNumber, preset.__presetName.flatMap { string($0) } ?? "", [:])
    }
  }

  /// The path of a file URL; nil for another object.
  package func path(_ address: UnsafeRawPointer) -> String? {
    guard let url = object(address) as? NSURL, url.scheme == nil || url.isFileURL else {
      return nil
    }
    return url.path
  }

  /// The paths of an array of file URLs; nil for another object.
  package func paths(_ address: UnsafeRawPointer) -> [String]? {
    guard let object = object(address), object is NSArray else { return nil }
    let array = collection(address, CoreFoundation.CFArray.self)
    var paths: [String] = []
    for index in 0..<CoreFoundation.CFArrayGetCount(array) {
      guard let entry = CoreFoundation.CFArrayGetValueAtIndex(array, index),
        let path = path(entry)
      else { return nil }
      paths.append(path)
    }
    return paths
  }

  /// A file URL that the caller releases.
  package func retainedFileURL(_ path: String) -> UnsafeRawPointer {
    retained(NSURL(fileURLWithPath: path))
  }

  /// An array of pointers to `AUPreset` that the caller releases.
  package func retainedPresets(_ presets: [FactoryPreset]) -> UnsafeRawPointer {
    PresetArrays.shared.array(of: presets)
  }

  /// A property list that the caller releases.
  package func retainedPropertyList(_ list: PropertyList) -> UnsafeRawPointer {
    retained(foundation(list))
  }

  /// The contents of a property list; nil when it contains an object that is not allowed in one, or
  /// contains itself.
  package func propertyList(_ address: UnsafeRawPointer) -> PropertyList? {
    plain(address, depth: 0)
  }

  /// Releases an object.
  package func release(_ address: UnsafeRawPointer) {
    guard !isNull(address) else { return }
    Unmanaged<AnyObject>.fromOpaque(address).release()
  }

  /// The property list of a file, XML or binary.
  package func propertyList(file bytes: [UInt8]) -> PropertyList? {
    guard !PropertyListDepth.exceeds(Self.depthLimit, in: bytes),
      let list = try? PropertyListSerialization.propertyList(
        from: Data(bytes), options: [], format: nil),
      let entries = list as? [String: Any]
    else { return nil }
    let object = entries as NSDictionary
    return withExtendedLifetime(object) {
      plain(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()), depth: 0)
    }
  }

  private func foundation(_ list: PropertyList) -> NSObject {
    switch list {
    case .string(let text): unsafeBitCast(string(text), to: NSString.self)
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .bool(let value): NSNumber(value: value)
    case .data(let bytes): NSData(data: Data(bytes))
    case .array(let entries): NSArray(array: entries.map(foundation))
    case .dictionary(let entries):
      NSDictionary(dictionary: entries.mapValues(foundation))
    }
  }

  /// The deepest nesting of collections; deeper ones probably contain themselves.
  private static let depthLimit = 64

  /// Converts an object. It reads collections with Core Foundation: Foundation would convert their
  /// entries to Swift values, which not every object allows.
  private func plain(_ address: UnsafeRawPointer?, depth: Int) -> PropertyList? {
    guard let address, let object = object(address), depth < Self.depthLimit else { return nil }
    switch object {
    case let text as NSString: return .string(String(describing: text))
    // An array of a Data would copy it byte by byte.
    case let data as NSData:
      return withExtendedLifetime(data) {
        .data(Array(UnsafeRawBufferPointer(start: data.bytes, count: data.length)))
      }
    case let number as NSNumber: return plain(number)
    case is NSArray:
      return array(collection(address, CoreFoundation.CFArray.self), depth: depth + 1)
    case is NSDictionary:
      return dictionary(
        collection(address, CoreFoundation.CFDictionary.self), depth: depth + 1)
    default: return nil
    }
  }

  private func array(_ array: CoreFoundation.CFArray, depth: Int) -> PropertyList? {
    var entries: [PropertyList] = []
    for index in 0..<CoreFoundation.CFArrayGetCount(array) {
      let address = CoreFoundation.CFArrayGetValueAtIndex(array, index)
      guard let entry = plain(address, depth: depth) else { return nil }
      entries.append(entry)
    }
    return .array(entries)
  }

  private func dictionary(_ dictionary: CoreFoundation.CFDictionary, depth: Int) -> PropertyList? {
    let count = CFDictionaryGetCount(dictionary)
    var keys = [UnsafeRawPointer?](repeating: nil, count: count)
    var values = keys
    CFDictionaryGetKeysAndValues(dictionary, &keys, &values)
    var entries: [String: PropertyList] = [:]
    for (key, value) in zip(keys, values) {
      guard let key, let name = string(key), let entry = plain(value, depth: depth) else {
        return nil
      }
      entries[name] = entry
    }
    return .dictionary(entries)
  }

  private func plain(_ number: NSNumber) -> PropertyList {
    let value = number.doubleValue
    return Int(exactly: value).map { .integer($0) } ?? .real(value)
  }
}
