// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CoreAudio

extension AUAudioUnit {
  /// Calls a block when a property has changed, as long as the result exists. [control thread]
  ///
  /// The block is called on the thread that makes the change: that of a setter of this class, of
  /// `didChangeValue(forKey:)`, or of a C function that changes the C unit.
  ///
  /// - Parameters:
  ///   - keyPath: One of the properties that `value(forKey:)` knows. The program ends for another.
  ///   - options: Whether the block gets values, and whether it is called before changes and at once.
  ///   - changeHandler: The block, with the unit and the change.
  /// - Returns: The observation, which ends with its last reference.
  public final func observe<Value>(
    _ keyPath: KeyPath<AUAudioUnit, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (AUAudioUnit, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    guard let key = UnitKeys.name(of: keyPath) else {
      fatalError("AUAudioUnit.observe: there are no observers of \(keyPath)")
    }
    if let bridge { bridge.watch.followAll(of: bridge.handle) }
    // The path is one of the table, which captures nothing; the block is the program's.
    nonisolated(unsafe) let (path, block) = (keyPath, changeHandler)
    nonisolated(unsafe) weak let unit = self
    let known = Guarded<Value?>(options.contains(.old) ? self[keyPath: keyPath] : nil)
    let number = keyObservers.add(key) { moment in
      guard let unit else { return }
      if moment == .before {
        if options.contains(.old) {
          let value = unit[keyPath: path]
          known.withLock { $0 = value }
        }
        guard options.contains(.prior) else { return }
      }
      let reads = moment == .after && !options.isDisjoint(with: [.new, .old])
      let now = reads ? unit[keyPath: path] : nil
      let old = known.withLock { known in
        defer { if moment == .after, options.contains(.old) { known = now } }
        return known
      }
      block(
        unit,
        NSKeyValueObservedChange(
          kind: .setting, newValue: options.contains(.new) ? now : nil, oldValue: old, indexes: nil,
          isPrior: moment == .before))
    }
    if options.contains(.initial) {
      changeHandler(
        self,
        NSKeyValueObservedChange(
          kind: .setting, newValue: options.contains(.new) ? self[keyPath: keyPath] : nil,
          oldValue: nil, indexes: nil, isPrior: false))
    }
    return NSKeyValueObservation(keyObservers, number)
  }
}
