// SPDX-License-Identifier: Apache-2.0

/// The Core Foundation functions that properties need. The core does not import Foundation; a
/// module above it installs an implementation before the first unit is made.
public protocol ObjectBridge: Sendable {
  /// A new CFString that the caller owns.
  func retainedString(_ text: String) -> UnsafeRawPointer
  /// The text of a CFString; nil for other objects.
  func string(_ object: UnsafeRawPointer) -> String?
  /// The texts of a CFArray of CFString; nil when the object is something else.
  func strings(_ object: UnsafeRawPointer) -> [String]?
  /// The presets of a CFArray of pointers to AUPreset, without their values; nil if the object is
  /// not an array.
  func presets(_ object: UnsafeRawPointer) -> [FactoryPreset]?
  /// The path of a CFURL of a file; nil for other objects.
  func path(_ object: UnsafeRawPointer) -> String?
  /// The paths of a CFArray of CFURL of files; nil when the object is something else.
  func paths(_ object: UnsafeRawPointer) -> [String]?
  /// A new CFURL of a file that the caller owns.
  func retainedFileURL(_ path: String) -> UnsafeRawPointer
  /// A new CFArray of pointers to AUPreset that the caller owns; the presets live as long as the
  /// process.
  func retainedPresets(_ presets: [FactoryPreset]) -> UnsafeRawPointer
  /// A new property list that the caller owns.
  func retainedPropertyList(_ list: PropertyList) -> UnsafeRawPointer
  /// The contents of a property list; nil for other objects.
  func propertyList(_ object: UnsafeRawPointer) -> PropertyList?
  /// Releases an object that was retained but not returned.
  func release(_ object: UnsafeRawPointer)
  /// The property list that a file has, as XML or binary; nil if the bytes are no property list.
  func propertyList(file bytes: [UInt8]) -> PropertyList?
}

/// The installed bridge.
public enum Bridge {
  /// Set once, before the first unit is made, by the module that knows Core Foundation.
  public nonisolated(unsafe) static var current: any ObjectBridge = NoBridge()
}

/// A tree of plain values, as `.aupreset` files hold.
public enum PropertyList: Equatable, Sendable {
  case string(String)
  case integer(Int)
  case real(Double)
  case bool(Bool)
  case data([UInt8])
  case array([PropertyList])
  case dictionary([String: PropertyList])

  public subscript(key: String) -> PropertyList? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries[key]
  }

  /// The value as a whole number; nil if it is not one.
  public var integer: Int? {
    switch self {
    case .integer(let value): value
    case .real(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The value of a number; nil for other values and for NaN and infinity.
  public var real: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value.isFinite ? value : nil
    default: nil
    }
  }

  /// The value of a Boolean or of a number, which is true unless it is 0; nil for other values.
  public var bool: Bool? {
    if case .bool(let value) = self { return value }
    return real.map { $0 != 0 }
  }

  /// The entries of an array; none for other values.
  public var entries: [PropertyList] {
    guard case .array(let values) = self else { return [] }
    return values
  }

  /// The text of a string; nil for other values.
  public var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }
}

/// The bridge where Core Foundation is not used, as in tests of the core.
private struct NoBridge: ObjectBridge {
  private func missing() -> Never { fatalError("no object bridge is installed") }
  func retainedString(_ text: String) -> UnsafeRawPointer { missing() }
  func string(_ object: UnsafeRawPointer) -> String? { nil }
  func strings(_ object: UnsafeRawPointer) -> [String]? { nil }
  func presets(_ object: UnsafeRawPointer) -> [FactoryPreset]? { nil }
  func path(_ object: UnsafeRawPointer) -> String? { nil }
  func paths(_ object: UnsafeRawPointer) -> [String]? { nil }
  func retainedFileURL(_ path: String) -> UnsafeRawPointer { missing() }
  func retainedPresets(_ presets: [FactoryPreset]) -> UnsafeRawPointer { missing() }
  func retainedPropertyList(_ list: PropertyList) -> UnsafeRawPointer { missing() }
  func propertyList(_ object: UnsafeRawPointer) -> PropertyList? { nil }
  func release(_ object: UnsafeRawPointer) {}
  func propertyList(file bytes: [UInt8]) -> PropertyList? { nil }
}
