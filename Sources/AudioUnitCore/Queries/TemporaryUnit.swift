// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// A unit that is made only for queries, and is disposed of with this object.
package final class TemporaryUnit {
  /// The unit; it is not initialised.
  package let unit: UnitInstance

  /// [control thread] Makes an instance of a component.
  package init(_ component: Component) throws(AudioError) { unit = try component.instantiate() }

  /// [control thread] Makes an instance of the first component with these codes; nil if there is no
  /// such component, or no instance can be made.
  package convenience init?(_ description: AudioComponentDescription) {
    guard let component = ComponentRegistry.shared.next(after: nil, matching: description) else {
      return nil
    }
    do throws(AudioError) { try self.init(component) } catch { return nil }
  }

  deinit { if let handle = unit.handle { try? UnitInstance.dispose(handle) } }
}
