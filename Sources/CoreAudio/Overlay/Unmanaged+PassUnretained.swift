// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import Foundation

// Programs write `Unmanaged.passUnretained(url as CFURL)` for fields of structures. On Apple's
// systems a URL owns its CFURL, which so lives as long as the URL. Here the conversion creates an
// object without an owner, which would be gone before the structure is used.

/// Keeps the objects alive that programs passed most recently.
private final class RecentObjects: @unchecked Sendable {
  static let shared = RecentObjects()
  private static let count = 256

  private let lock = Lock()
  // Guarded by `lock`.
  private var objects: [AnyObject] = []
  private var next = 0

  /// [any thread but a render thread] Retains an object until `count` others have followed.
  func retain(_ object: AnyObject) {
    let old = lock.withLock { () -> AnyObject? in
      guard objects.count == Self.count else {
        objects.append(object)
        return nil
      }
      defer { next = (next + 1) % Self.count }
      let old = objects[next]
      objects[next] = object
      return old
    }
    // The old object is released after the lock, because its deinitializer may call any function.
    withExtendedLifetime(old) {}
  }
}

private func keptAlive<Object: AnyObject>(_ object: Object) -> Unmanaged<Object> {
  RecentObjects.shared.retain(object)
  return Unmanaged.fromOpaque(Unmanaged<AnyObject>.passUnretained(object).toOpaque())
}

extension Unmanaged where Instance == NSURL {
  /// A reference to a URL that stays valid for a while without an owner. [any thread]
  public static func passUnretained(_ value: NSURL) -> Unmanaged<NSURL> { keptAlive(value) }
}

extension Unmanaged where Instance == NSString {
  /// A reference to a string that stays valid for a while without an owner. [any thread]
  public static func passUnretained(_ value: NSString) -> Unmanaged<NSString> { keptAlive(value) }
}

extension Unmanaged where Instance == NSArray {
  /// A reference to an array that stays valid for a while without an owner. [any thread]
  public static func passUnretained(_ value: NSArray) -> Unmanaged<NSArray> { keptAlive(value) }
}

extension Unmanaged where Instance == NSDictionary {
  /// A reference to a dictionary that stays valid for a while without an owner. [any thread]
  public static func passUnretained(_ value: NSDictionary) -> Unmanaged<NSDictionary> {
    keptAlive(value)
  }
}
