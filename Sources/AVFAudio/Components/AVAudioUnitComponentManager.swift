// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox

/// Finds components. [any thread]
open class AVAudioUnitComponentManager: NSObject {
  /// A component was registered; the object is the shared manager. Posted on a thread of the
  /// library, once `shared()` has been called.
  public class var registrationsChangedNotification: NSNotification.Name {
    NSNotification.Name("AVAudioUnitComponentManagerRegistrationsChangedNotification")
  }

  // It never changes.
  private nonisolated(unsafe) static let instance: AVAudioUnitComponentManager = {
    let manager = AVAudioUnitComponentManager()
    let name = NSNotification.Name("\(kAudioComponentRegistrationsChangedNotification)")
    _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
      NotificationCenter.default.post(name: registrationsChangedNotification, object: instance)
    }
    return manager
  }()

  /// The manager of the process.
  @discardableResult
  open class func shared() -> AVAudioUnitComponentManager { instance }

  public override init() { super.init() }

  /// The components that match a description: zero in its type, subtype or manufacturer means any.
  @discardableResult
  open func components(matching desc: AudioComponentDescription) -> [AVAudioUnitComponent] {
    var desc = desc
    var found: [AVAudioUnitComponent] = []
    var last: AudioComponent?
    while let next = AudioComponentFindNext(last, &desc) {
      last = next
      if let component = AVAudioUnitComponent(next) { found.append(component) }
    }
    return found
  }

  /// The components for which a predicate is true, such as one of `NSPredicate(block:)`.
  @discardableResult
  open func components(matching predicate: NSPredicate) -> [AVAudioUnitComponent] {
    components(matching: AudioComponentDescription()).filter { predicate.evaluate(with: $0) }
  }

  /// The components for which a block returns true. The block may set its second argument to end
  /// the search; a component for which it also returns true is the last.
  @discardableResult
  open func components(
    passingTest testHandler: (AVAudioUnitComponent, UnsafeMutablePointer<ObjCBool>) -> Bool
  ) -> [AVAudioUnitComponent] {
    var found: [AVAudioUnitComponent] = []
    var isStopped: ObjCBool = false
    for component in components(matching: AudioComponentDescription()) {
      if testHandler(component, &isStopped) { found.append(component) }
      if isStopped.boolValue { break }
    }
    return found
  }

  /// Every tag that a component has, sorted.
  open var tagNames: [String] {
    let own = components(matching: AudioComponentDescription()).flatMap(\.allTagNames)
    return Set(own + ComponentTags.names).sorted()
  }

  /// The tags that the system gives: none.
  open var standardLocalizedTagNames: [String] { [] }
}
