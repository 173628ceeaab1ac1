// SPDX-License-Identifier: Apache-2.0
import CoreFoundation
public import Foundation

/// The number of values of an array. [any thread]
public func CFArrayGetCount(_ theArray: NSArray) -> Int {
  CoreFoundation.CFArrayGetCount(unsafeBitCast(theArray, to: CoreFoundation.CFArray.self))
}

/// A value of an array, such as a pointer to a preset. [any thread]
public func CFArrayGetValueAtIndex(_ theArray: NSArray, _ idx: Int) -> UnsafeRawPointer? {
  CoreFoundation.CFArrayGetValueAtIndex(
    unsafeBitCast(theArray, to: CoreFoundation.CFArray.self), idx)
}
