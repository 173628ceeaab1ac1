// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The parameter values in a saved state, as data.
///
/// For each group of values of one element: scope, element, count, and `count` pairs of identifier
/// and value. All are big-endian words of 32 bits.
struct PresetData {
  private(set) var values: [(address: ParameterAddress, value: Float)] = []
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Parses data; nil if it is incomplete.
  init?(_ bytes: [UInt8]) {
    guard bytes.count % 4 == 0 else { return nil }
    self.bytes = bytes
    var words = stride(from: 0, to: bytes.count, by: 4).map { at in
      bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }[...]
    while !words.isEmpty {
      guard words.count >= 3 else { return nil }
      let head = Array(words.prefix(3))
      words = words.dropFirst(3)
      let count = Int(head[2])
      guard count <= words.count / 2 else { return nil }
      for _ in 0..<count {
        let pair = Array(words.prefix(2))
        words = words.dropFirst(2)
        values.append((ParameterAddress(pair[0], head[0], head[1]), Float(bitPattern: pair[1])))
      }
    }
  }

  /// Adds a group of values of one element; none makes no group.
  mutating func append(
    _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ group: [(id: AudioUnitParameterID, value: Float)]
  ) {
    guard !group.isEmpty else { return }
    append([scope, element, UInt32(group.count)])
    for (id, value) in group {
      append([id, value.bitPattern])
      values.append((ParameterAddress(id, scope, element), value))
    }
  }

  private mutating func append(_ words: [UInt32]) {
    for word in words { withUnsafeBytes(of: word.bigEndian) { bytes += Array($0) } }
  }
}

extension ElementList {
  /// The values of all parameters that presets contain.
  var presetData: PresetData {
    var data = PresetData()
    if let matrix {
      for (address, value) in zip(matrix.addresses, global.parameters.values) {
        data.append(address.scope, address.element, [(address.id, value)])
      }
      return data
    }
    for element in all {
      let store = element.parameters
      let slots = store.ownSlots.filter {
        definitions[$0].spec.options.isDisjoint(with: [.flag_OmitFromPresets, .flag_MeterReadOnly])
      }
      data.append(
        element.scope, UInt32(element.index), slots.map { (definitions[$0].id, store.value($0)) })
    }
    return data
  }

  /// The names that hosts have set, by scope and element; empty if there are none.
  var names: [String: PropertyList] {
    var scopes: [String: PropertyList] = [:]
    for elements in [[global], inputs, outputs] {
      let named = elements.compactMap { element in
        element.name.map { (String(element.index), PropertyList.string($0)) }
      }
      guard let scope = elements.first?.scope, !named.isEmpty else { continue }
      scopes[String(scope)] = .dictionary(Dictionary(uniqueKeysWithValues: named))
    }
    return scopes
  }

  /// Sets the names that a saved state contains.
  func setNames(_ names: PropertyList?) {
    for element in all {
      if let name = names?[String(element.scope)]?[String(element.index)]?.string {
        element.name = name
      }
    }
  }
}
