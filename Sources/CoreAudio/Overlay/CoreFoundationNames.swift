// SPDX-License-Identifier: Apache-2.0

import Foundation

// Names of CoreFoundation as Swift code for other systems knows them. On Linux the importer makes
// classes of its own of the C types, to which neither strings nor URLs convert; these names stand
// for the Foundation classes, which are the same objects in memory.

/// A string, as the functions of this module take and give it.
public typealias CFString = NSString

/// The address of a file, as the functions of this module take it.
public typealias CFURL = NSURL

/// An array, as the properties of units give it.
public typealias CFArray = NSArray

/// A dictionary, as the properties of units take and give it.
public typealias CFDictionary = NSDictionary

/// Bytes, as property lists hold them.
public typealias CFData = NSData

/// Any object that a property list may hold.
public typealias CFPropertyList = AnyObject

/// A Boolean behind a pointer or in a struct; on Linux the C type is Swift's own.
public typealias DarwinBoolean = Bool

extension Bool {
  /// The value itself, for code that expects a Boolean with a wrapper around it.
  @inlinable
  public var boolValue: Bool { self }
}
