// SPDX-License-Identifier: Apache-2.0
public import CoreFoundation
import Foundation

// Types of run loops for this module's functions. Programs should not import CoreFoundation beside
// this module: its C types differ.

/// A run loop of CoreFoundation.
public typealias CFRunLoop = CoreFoundation.CFRunLoop

/// A mode of a run loop.
public struct CFRunLoopMode: RawRepresentable, @unchecked Sendable {  // strings that never change
  public var rawValue: NSString

  public init(rawValue: NSString) { self.rawValue = rawValue }

  /// The default mode of a run loop.
  public static var defaultMode: Self { Self(rawValue: "kCFRunLoopDefaultMode") }
  /// All modes that are marked as common.
  public static var commonModes: Self { Self(rawValue: "kCFRunLoopCommonModes") }
}

/// The run loop of the calling thread. [any thread]
public func CFRunLoopGetCurrent() -> CFRunLoop { CoreFoundation.CFRunLoopGetCurrent() }

/// The run loop of the main thread. [any thread]
public func CFRunLoopGetMain() -> CFRunLoop { CoreFoundation.CFRunLoopGetMain() }
