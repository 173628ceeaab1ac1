// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// Every registered component of this process, in the order of registration.
public final class ComponentRegistry: @unchecked Sendable {
  /// The registry of the C API.
  public static let shared = ComponentRegistry()

  private let lock = Lock()
  private var components: [Component] = []

  public init() {}

  /// [control thread] Adds a component. If another has the same type, subtype and manufacturer, the
  /// new one replaces it if its version is higher; otherwise the new one is refused.
  @discardableResult
  public func register(_ component: Component) throws(AudioError) -> Component {
    let added = component.description
    for code in [added.componentType, added.componentSubType, added.componentManufacturer]
    where code == 0 {
      throw .invalidArgument.because(
        "\(component.name): a component needs a type, a subtype and a manufacturer")
    }
    return try lock.withLock { () throws(AudioError) in
      let same = components.firstIndex { other in
        let other = other.description
        return other.componentType == added.componentType
          && other.componentSubType == added.componentSubType
          && other.componentManufacturer == added.componentManufacturer
      }
      guard let same else {
        components.append(component)
        return component
      }
      guard component.version > components[same].version else {
        throw .duplicateDescription.because(
          "\(component.name): \(components[same].name), version \(components[same].version), "
            + "is already registered under the same codes")
      }
      // The older component stays alive for the handles that hosts may still hold.
      replaced.append(components[same])
      components[same] = component
      return component
    }
  }
  private var replaced: [Component] = []

  /// [control thread] The first match after `component`, or the first of all after nil.
  public func next(after component: Component?, matching query: AudioComponentDescription)
    -> Component?
  {
    lock.withLock {
      var start = 0
      if let component {
        guard let index = components.firstIndex(where: { $0 === component }) else { return nil }
        start = index + 1
      }
      return components[start...].first { $0.matches(query) }
    }
  }

  /// [control thread] All matches.
  public func all(matching query: AudioComponentDescription = .init()) -> [Component] {
    lock.withLock { components.filter { $0.matches(query) } }
  }

  /// [control thread] The components that match a name or codes, as people type them.
  package func named(_ text: String) -> [Component] {
    Component.named(text) { all(matching: $0) }
  }
}
