// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI

/// The parameters of a thru connection: a `MIDIThruConnectionParams`, with the control transforms and
/// value maps that follow it.
struct ThruParameters {
  private var fixed: MIDIThruConnectionParams
  private let controls: [MIDIControlTransform]
  private let maps: [MIDIValueMap]

  /// Reads the parameters that a program passed.
  init(_ bytes: [UInt8]) throws(AudioError) {
    let fixedSize = MemoryLayout<MIDIThruConnectionParams>.size
    guard bytes.count >= fixedSize else {
      throw .invalidArgument.because(
        "\(bytes.count) bytes are too few for a MIDIThruConnectionParams")
    }
    let fixed: MIDIThruConnectionParams = Self.value(bytes, at: 0)
    let (controlSize, mapSize) = (
      MemoryLayout<MIDIControlTransform>.size, MemoryLayout<MIDIValueMap>.size
    )
    let mapStart = fixedSize + Int(fixed.numControlTransforms) * controlSize
    let size = mapStart + Int(fixed.numMaps) * mapSize
    guard bytes.count >= size else {
      throw .invalidArgument.because(
        "\(bytes.count) bytes are too few for \(fixed.numControlTransforms) control transforms and "
          + "\(fixed.numMaps) maps")
    }
    guard fixed.version == 0 else {
      throw .invalidArgument.because("version \(fixed.version) is not known; expected 0")
    }
    guard fixed.numSources <= 8, fixed.numDestinations <= 8 else {
      throw .invalidArgument.because(
        "\(fixed.numSources) sources and \(fixed.numDestinations) destinations; expected 8 at most")
    }
    self.fixed = fixed
    controls = (0..<Int(fixed.numControlTransforms)).map {
      Self.value(bytes, at: fixedSize + $0 * controlSize)
    }
    maps = (0..<Int(fixed.numMaps)).map { Self.value(bytes, at: mapStart + $0 * mapSize) }
    for control in controls where control.controlType != .controlType_7Bit {
      throw .unimplemented.because(
        "control transforms of type \(control.controlType.rawValue); only those of type 0 (7 bits) "
          + "are implemented")
    }
  }

  private static func value<Value: BitwiseCopyable>(_ bytes: [UInt8], at offset: Int) -> Value {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
  }

  /// The parameters as a program gets them.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func append<Value>(_ value: Value) { withUnsafeBytes(of: value) { bytes += $0 } }
    append(fixed)
    controls.forEach(append)
    maps.forEach(append)
    return bytes
  }

  var sources: [MIDIThruConnectionEndpoint] {
    withUnsafeBytes(of: fixed.sources) {
      Array($0.bindMemory(to: MIDIThruConnectionEndpoint.self).prefix(Int(fixed.numSources)))
    }
  }

  var destinations: [MIDIThruConnectionEndpoint] {
    withUnsafeBytes(of: fixed.destinations) {
      Array($0.bindMemory(to: MIDIThruConnectionEndpoint.self).prefix(Int(fixed.numDestinations)))
    }
  }

  /// Fills in the number and the unique identifier of each end that exists. The number of one that
  /// does not exist becomes 0; its unique identifier stays.
  mutating func resolve(
    _ find: (MIDIThruConnectionEndpoint) -> MIDIThruConnectionEndpoint?
  ) {
    func resolved(_ end: MIDIThruConnectionEndpoint) -> MIDIThruConnectionEndpoint {
      find(end) ?? MIDIThruConnectionEndpoint(endpointRef: 0, uniqueID: end.uniqueID)
    }
    withUnsafeMutableBytes(of: &fixed.sources) { bytes in
      let ends = bytes.bindMemory(to: MIDIThruConnectionEndpoint.self)
      for index in ends.indices { ends[index] = resolved(ends[index]) }
    }
    withUnsafeMutableBytes(of: &fixed.destinations) { bytes in
      let ends = bytes.bindMemory(to: MIDIThruConnectionEndpoint.self)
      for index in ends.indices { ends[index] = resolved(ends[index]) }
    }
  }

  /// What happens to messages.
  var rules: ThruRules { ThruRules(fixed, controls: controls, maps: maps) }
}
