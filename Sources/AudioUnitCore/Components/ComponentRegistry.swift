// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// Every registered component of this process, in the order of registration.
public final class ComponentRegistry: @unchecked Sendable {
  /// The registry of the C API.
  public static let shared = ComponentRegistry()

  private let lock = Lock()
  private var components: [Component] = []
  /// Their places by their codes.
  private var places: [Codes: Int] = [:]

  private struct Codes: Hashable {
    let type: OSType
    let subType: OSType
    let manufacturer: OSType

    init(_ description: AudioComponentDescription) {
      (type, subType) = (description.componentType, description.componentSubType)
      manufacturer = description.componentManufacturer
    }
  }

  /// Registers components that are found only when a search needs them. It is set before the first
  /// search, and called with no lock held.
  public nonisolated(unsafe) var findMore: @Sendable () -> Void = {}

  public init() {}

  /// [control thread] Adds a component. If another has the same type, subtype and manufacturer, the
  /// new one replaces it if its version is higher and `replaces` is true; otherwise it is refused.
  @discardableResult
  public func register(_ component: Component, replaces: Bool = true) throws(AudioError)
    -> Component
  {
    let added = component.description
    for code in [added.componentType, added.componentSubType, added.componentManufacturer]
    where code == 0 {
      throw .invalidArgument.because(
        "\(component.name): a component needs a type, a subtype and a manufacturer")
    }
    return try lock.withLock { () throws(AudioError) in
      guard let same = places[Codes(added)] else {
        places[Codes(added)] = components.count
        components.append(component)
        return component
      }
      guard replaces, component.version > components[same].version else {
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

  /// [control thread] The first match after `component`, or the first of all after nil. More are
  /// registered only when there is no match yet.
  public func next(after component: Component?, matching query: AudioComponentDescription)
    -> Component?
  {
    let found = nextRegistered(after: component, matching: query)
    // At most one component has codes without a wildcard.
    if found != nil || component != nil && query.namesOne { return found }
    findMore()
    return nextRegistered(after: component, matching: query)
  }

  private func nextRegistered(
    after component: Component?, matching query: AudioComponentDescription
  ) -> Component? {
    lock.withLock {
      var start = 0
      if let component {
        guard let place = places[Codes(component.description)], components[place] === component
        else { return nil }
        start = place + 1
      }
      return components[start...].first { $0.matches(query) }
    }
  }

  /// [control thread] All matches.
  public func all(matching query: AudioComponentDescription = .init()) -> [Component] {
    findMore()
    return lock.withLock { components.filter { $0.matches(query) } }
  }

  /// [control thread] The components that match a name or codes, as people type them.
  package func named(_ text: String) -> [Component] {
    Component.named(text) { all(matching: $0) }
  }
}

extension AudioComponentDescription {
  /// Whether it names type, subtype and manufacturer, without a wildcard.
  var namesOne: Bool {
    componentType != 0 && componentSubType != 0 && componentManufacturer != 0
  }
}
