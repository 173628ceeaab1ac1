// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Foundation

/// Core Foundation objects for the targets below, which know none: on Linux they are Foundation's own.
package struct CoreFoundationBridge: ObjectBridge {
  /// Installed once, by whichever function of the C surface is called first.
  package static let install: Void = { Bridge.current = CoreFoundationBridge() }()


  private func retained(_ object: AnyObject) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
  }

  private func object(_ address: UnsafeRawPointer) -> AnyObject {
    Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
  }

  /// A string that the caller releases.
  package func retainedString(_ text: String) -> UnsafeRawPointer { retained(NSString(string: text)) }

  /// The text of a string; nil when it is something else.
  package func string(_ address: UnsafeRawPointer) -> String? {
    (object(address) as? NSString).map { String(describing: $0) }
  }

  /// An array of strings that the caller releases.
  package func retainedStrings(_ texts: [String]) -> UnsafeRawPointer {
    retained(NSArray(array: texts.map { NSString(string: $0) }))
  }

  /// An array of pointers to `AUPreset` that the caller releases.
  package func retainedPresets(_ presets: [FactoryPreset]) -> UnsafeRawPointer {
    PresetArrays.shared.array(of: presets)
  }

  /// A property list that the caller releases.
  package func retainedPropertyList(_ list: PropertyList) -> UnsafeRawPointer { retained(foundation(list)) }

  /// What a property list holds; nil when there is something in it that no list can hold.
  package func propertyList(_ address: UnsafeRawPointer) -> PropertyList? { plain(object(address)) }

  /// Gives an object back.
  package func release(_ address: UnsafeRawPointer) {
    Unmanaged<AnyObject>.fromOpaque(address).release()
  }

  private func foundation(_ list: PropertyList) -> NSObject {
    switch list {
    case .string(let text): NSString(string: text)
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .bool(let value): NSNumber(value: value)
    case .data(let bytes): NSData(data: Data(bytes))
    case .array(let entries): NSArray(array: entries.map(foundation))
    case .dictionary(let entries):
      NSDictionary(dictionary: entries.mapValues(foundation))
    }
  }

  private func plain(_ object: Any) -> PropertyList? {
    switch object {
    case let text as NSString: return .string(String(describing: text))
    case let text as String: return .string(text)
    case let data as NSData: return .data(Array(Data(referencing: data)))
    case let data as Data: return .data(Array(data))
    case let number as NSNumber: return plain(number)
    case let array as NSArray: return whole(array.map { plain($0) }).map { .array($0) }
    case let dictionary as NSDictionary:
      var entries: [String: PropertyList] = [:]
      for (key, value) in dictionary {
        guard let name = plain(key)?.string, let entry = plain(value) else { return nil }
        entries[name] = entry
      }
      return .dictionary(entries)
    default: return nil
    }
  }

  private func plain(_ number: NSNumber) -> PropertyList {
    let value = number.doubleValue
    return Int(exactly: value).map { .integer($0) } ?? .real(value)
  }

  /// The array, unless an entry is missing.
  private func whole(_ entries: [PropertyList?]) -> [PropertyList]? {
    let known = entries.compactMap { $0 }
    return known.count == entries.count ? known : nil
  }
}
