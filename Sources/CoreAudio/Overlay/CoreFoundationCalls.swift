// SPDX-License-Identifier: Apache-2.0
public import CoreFoundation
public import Foundation

// Functions of CoreFoundation for this module's types, such as the result of `"x" as CFString`. The
// objects are the same in memory; the C functions expect other classes.

/// The same object with the class that a C function expects or returns.
private func same<From, To>(_ object: From) -> To { unsafeBitCast(object, to: To.self) }

// MARK: Strings

/// The length in UTF-16 units. [any thread]
public func CFStringGetLength(_ theString: CFString!) -> CFIndex {
  CoreFoundation.CFStringGetLength(same(theString))
}

/// Copies the text, terminated by a zero; false when there is too little room. [any thread]
public func CFStringGetCString(
  _ theString: CFString!, _ buffer: UnsafeMutablePointer<CChar>!, _ bufferSize: CFIndex,
  _ encoding: CFStringEncoding
) -> Bool {
  CoreFoundation.CFStringGetCString(same(theString), buffer, bufferSize, encoding)
}

/// The string's own text, if it is stored in this encoding; else nil: copy it instead. [any thread]
public func CFStringGetCStringPtr(_ theString: CFString!, _ encoding: CFStringEncoding)
  -> UnsafePointer<CChar>!
{
  CoreFoundation.CFStringGetCStringPtr(same(theString), encoding)
}

/// Creates a string from text that is terminated by a zero. [any thread]
public func CFStringCreateWithCString(
  _ alloc: CFAllocator!, _ cStr: UnsafePointer<CChar>!, _ encoding: CFStringEncoding
) -> CFString! {
  same(CoreFoundation.CFStringCreateWithCString(alloc, cStr, encoding))
}

/// Compares two texts. [any thread]
public func CFStringCompare(
  _ theString1: CFString!, _ theString2: CFString!, _ compareOptions: CFStringCompareFlags
) -> CFComparisonResult {
  CoreFoundation.CFStringCompare(same(theString1), same(theString2), compareOptions)
}

/// Whether a text begins with another. [any thread]
public func CFStringHasPrefix(_ theString: CFString!, _ prefix: CFString!) -> Bool {
  CoreFoundation.CFStringHasPrefix(same(theString), same(prefix))
}

// MARK: URLs

/// Creates a file URL from a path. [any thread]
public func CFURLCreateWithFileSystemPath(
  _ allocator: CFAllocator!, _ filePath: CFString!, _ pathStyle: CFURLPathStyle,
  _ isDirectory: Bool
) -> CFURL! {
  same(
    CoreFoundation.CFURLCreateWithFileSystemPath(
      allocator, same(filePath), pathStyle, isDirectory))
}

/// Creates a file URL from the bytes of a path. [any thread]
public func CFURLCreateFromFileSystemRepresentation(
  _ allocator: CFAllocator!, _ buffer: UnsafePointer<UInt8>!, _ bufLen: CFIndex,
  _ isDirectory: Bool
) -> CFURL! {
  same(
    CoreFoundation.CFURLCreateFromFileSystemRepresentation(
      allocator, buffer, bufLen, isDirectory))
}

/// Creates a URL from its text. [any thread]
public func CFURLCreateWithString(
  _ allocator: CFAllocator!, _ URLString: CFString!, _ baseURL: CFURL!
) -> CFURL! {
  same(CoreFoundation.CFURLCreateWithString(allocator, same(URLString), same(baseURL)))
}

/// The text of a URL. [any thread]
public func CFURLGetString(_ anURL: CFURL!) -> CFString! {
  same(CoreFoundation.CFURLGetString(same(anURL)))
}

/// The path of a file URL. [any thread]
public func CFURLCopyFileSystemPath(_ anURL: CFURL!, _ pathStyle: CFURLPathStyle) -> CFString! {
  same(CoreFoundation.CFURLCopyFileSystemPath(same(anURL), pathStyle))
}

/// The file name: the last component of the path. [any thread]
public func CFURLCopyLastPathComponent(_ url: CFURL!) -> CFString! {
  same(CoreFoundation.CFURLCopyLastPathComponent(same(url)))
}

/// The extension of the file name, without the dot. [any thread]
public func CFURLCopyPathExtension(_ url: CFURL!) -> CFString! {
  same(CoreFoundation.CFURLCopyPathExtension(same(url)))
}

// MARK: Collections

/// The number of entries. [any thread]
public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex {
  CoreFoundation.CFDictionaryGetCount(same(theDict))
}

/// The value of a key; both are pointers. [any thread]
public func CFDictionaryGetValue(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!)
  -> UnsafeRawPointer!
{
  CoreFoundation.CFDictionaryGetValue(same(theDict), key)
}

/// The number of bytes. [any thread]
public func CFDataGetLength(_ theData: CFData!) -> CFIndex {
  CoreFoundation.CFDataGetLength(same(theData))
}

/// The bytes. [any thread]
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
  CoreFoundation.CFDataGetBytePtr(same(theData))
}

// MARK: Run loops

/// Runs the run loop of the calling thread for this many seconds. [control thread]
@discardableResult
public func CFRunLoopRunInMode(
  _ mode: CFRunLoopMode!, _ seconds: CFTimeInterval, _ returnAfterSourceHandled: Bool
) -> CFRunLoopRunResult {
  let name: CoreFoundation.CFString = same(mode.rawValue)
  return CoreFoundation.CFRunLoopRunInMode(name, seconds, returnAfterSourceHandled)
}
