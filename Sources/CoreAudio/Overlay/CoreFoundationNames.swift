// SPDX-License-Identifier: Apache-2.0

import Foundation

// Names of CoreFoundation that Swift code for Apple's systems uses. On Linux the importer makes
// separate classes of the C types, and neither strings nor URLs convert to them. So these names
// stand for the Foundation classes, which are the same objects in memory.

/// A string, as parameter and result of this module's functions.
public typealias CFString = NSString

/// A URL, as parameter of this module's functions.
public typealias CFURL = NSURL

/// An array, as value of a unit's property.
public typealias CFArray = NSArray

/// A dictionary, as value of a unit's property.
public typealias CFDictionary = NSDictionary

/// Bytes, as part of a property list.
public typealias CFData = NSData

/// Any object of a property list.
public typealias CFPropertyList = AnyObject

/// A Boolean behind a pointer or in a struct; on Linux the C type is Swift's own.
public typealias DarwinBoolean = Bool

extension Bool {
  /// The value itself, for code that expects a wrapped Boolean.
  @inlinable
  public var boolValue: Bool { self }
}
