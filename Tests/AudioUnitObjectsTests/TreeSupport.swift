// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// A parameter of tests.
func parameter(
  _ identifier: String, _ address: AUParameterAddress, _ range: ClosedRange<AUValue> = 0...1,
  unit: AudioUnitParameterUnit = .generic, strings: [String]? = nil, dependents: [NSNumber]? = nil
) -> AUParameter {
  AUParameterTree.createParameter(
    withIdentifier: identifier, name: identifier.capitalized, address: address,
    min: range.lowerBound, max: range.upperBound, unit: unit, unitName: nil,
    flags: [.flag_IsReadable, .flag_IsWritable], valueStrings: strings,
    dependentParameters: dependents)
}

/// A group of tests.
func group(_ identifier: String, _ children: [AUParameterNode]) -> AUParameterGroup {
  AUParameterTree.createGroup(
    withIdentifier: identifier, name: identifier.capitalized, children: children)
}

/// A tree with a volume, and a filter of cutoff and resonance.
struct FilterTree {
  let volume = parameter("volume", 10)
  let cutoff = parameter("cutoff", 20, 20...20_000, unit: .hertz)
  let resonance = parameter("resonance", 21, -20...40, unit: .decibels)
  let filter: AUParameterGroup
  let tree: AUParameterTree

  init() {
    filter = group("filter", [cutoff, resonance])
    tree = AUParameterTree.createTree(withChildren: [volume, filter])
  }
}

/// What observers receive, from any thread.
final class Received<Item: Sendable>: @unchecked Sendable {  // `lock` guards the items
  private let lock = NSLock()
  private var items: [Item] = []

  var all: [Item] { lock.withLock { items.map(\.self) } }

  func add(_ item: Item) { lock.withLock { items.append(item) } }
}
