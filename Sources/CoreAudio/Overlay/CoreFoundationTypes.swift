// SPDX-License-Identifier: Apache-2.0

public import Foundation

// The types that `AudioToolbox` names so as well (CoreFoundationNames.swift there). A module's own name
// wins over one that it re-exports: both modules need them, lest a program that imports both finds
// the importer's classes beside them.

/// A string, as properties of audio objects give it.
public typealias CFString = NSString

/// The address of a file.
public typealias CFURL = NSURL

/// An array.
public typealias CFArray = NSArray

/// A dictionary.
public typealias CFDictionary = NSDictionary

/// Any object that a property list may hold.
public typealias CFPropertyList = AnyObject

/// A Boolean behind a pointer or in a struct; on Linux the C type is Swift's own.
public typealias DarwinBoolean = Bool
