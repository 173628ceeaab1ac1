// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Foundation

extension PropertyList {
  /// The deepest nesting of collections in a state.
  private static let depthLimit = 64

  /// A state, or a value in it, as plain values; nil if it contains anything else.
  ///
  /// Swift's collections are converted here. As objects, they would make objects of their entries for
  /// Core Foundation, and keep them.
  init?(state value: Any, depth: Int = 0) {
    guard depth < Self.depthLimit else { return nil }
    // Reading an object as a collection of Swift could end the program.
    guard !(type(of: value) is AnyClass) else {
      self.init(object: value as AnyObject)
      return
    }
    switch value {
    case let text as String: self = .string(text)
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .integer(value)
    case let value as Double: self = .real(value)
    case let value as Float: self = .real(Double(value))
    case let data as Data: self = .data(Array(data))
    case let entries as [String: Any]:
      var list: [String: PropertyList] = [:]
      for (key, entry) in entries {
        guard let plain = PropertyList(state: entry, depth: depth + 1) else { return nil }
        list[key] = plain
      }
      self = .dictionary(list)
    case let entries as [Any]:
      var list: [PropertyList] = []
      for entry in entries {
        guard let plain = PropertyList(state: entry, depth: depth + 1) else { return nil }
        list.append(plain)
      }
      self = .array(list)
    default: self.init(object: value as AnyObject)
    }
  }

  private init?(object: AnyObject) {
    let list = withExtendedLifetime(object) {
      Bridge.current.propertyList(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
    }
    guard let list else { return nil }
    self = list
  }
}
