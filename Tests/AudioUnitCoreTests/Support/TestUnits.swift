// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
@testable import AudioSupport
@testable import AudioUnitCore

/// Kernels of every shape, registered as components.
enum TestUnit: String, CaseIterable, Sendable {
  case values = "valu"
  case counter = "coun"
  case echo = "echo"
  case late = "late"
  case sums = "sumd"
  case decimator = "deci"

  private var definition: UnitDefinition {
    switch self {
    case .values: .generator(ValueSource.self)
    case .counter: .generator(Counter.self)
    case .echo: .effect(Echo.self)
    case .late: .effect(LateInverse.self)
    case .sums: .mixer(SumAndDifference.self)
    case .decimator: .converter(Decimator.self)
    }
  }

  private static let registration: Void = {
    for unit in allCases {
      let definition = unit.definition
      let component = Component(
        AudioComponentDescription(
          componentType: definition.identity.type, componentSubType: definition.identity.subType,
          componentManufacturer: definition.identity.manufacturer, componentFlags: 0,
          componentFlagsMask: 0),
        name: "Tests: \(definition.identity.name)", version: 0x0001_0203
      ) { component, _ throws(AudioError) in
        KernelUnit(component: component, definition: definition)
      }
      _ = try? ComponentRegistry.shared.register(component)
    }
  }()

  var component: AudioComponent? {
    // The first search installs the built-in units and the bridge to Core Foundation.
    _ = Self.registration
    var description = AudioComponentDescription()
    description.componentSubType = code(rawValue)
    description.componentManufacturer = maker
    return AudioComponentFindNext(nil, &description)
  }
}
