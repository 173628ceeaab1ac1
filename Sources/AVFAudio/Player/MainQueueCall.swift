// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An object for the main queue. The program uses it there, and the library only passes it on.
struct MainQueueCall<Object: AnyObject>: @unchecked Sendable {
  private weak var object: Object?

  init(_ object: Object?) { self.object = object }

  /// [any thread] Calls `body` on the main queue, if the object still exists then.
  func callAsFunction(_ body: @escaping @Sendable (Object) -> Void) {
    DispatchQueue.main.async { if let object { body(object) } }
  }
}
