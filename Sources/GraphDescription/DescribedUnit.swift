// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// Reads and sets the described values of a unit, native or foreign. [control thread]
extension UnitInstance {
  // MARK: Properties

  /// Sets a property of a fixed C type; errors contain the place in the text.
  func set<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, to value: Value,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0,
    at place: TextPlace
  ) throws(GraphDescriptionFailure) {
    try GraphDescriptionFailure.at(place, of: self) { () throws(AudioError) in
      try set(property, value, scope, element)
    }
  }

  /// The value of a property; nil if the unit does not have it.
  func property(
    _ kind: DescribedProperty, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> GraphDescription.Property? {
    guard let words = values(kind.id, scope, element, of: UInt32(0)) else { return nil }
    guard case .matrix = kind.form else { return .init(kind: kind, rows: [words]) }
    guard let size = words.isEmpty ? nil : matrixSize(scope, element) else { return nil }
    // On the global scope the gains of the inputs form the last column.
    let columns = Int(size.outputs) + (scope == kAudioUnitScope_Global ? 1 : 0)
    return .init(
      kind: kind,
      rows: stride(from: 0, to: words.count, by: columns).map {
        Array(words[$0..<min($0 + columns, words.count)])
      })
  }

  /// Sets a property to a described value; errors contain the place in the text.
  func set(
    _ property: GraphDescription.Property, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    at place: TextPlace
  ) throws(GraphDescriptionFailure) {
    if case .matrix = property.kind.form,
      let rows = self.property(property.kind, scope, element)?.rows,
      rows.map(\.count) != property.rows.map(\.count)
    {
      throw GraphDescriptionFailure(
        at: place,
        "\(property.rows.count) rows of \(property.rows.first?.count ?? 0) numbers, where there are "
          + "\(rows.count) of \(rows[0].count)")
    }
    let words = property.rows.flatMap(\.self)
    try GraphDescriptionFailure.at(place, of: self) { () throws(AudioError) in
      try setProperty(
        PropertyAddress(property.kind.id, scope, element), words.isEmpty ? nil : words,
        size: UInt32(clamping: 4 * words.count))
    }
  }

  /// The numbers of input and output channels for which a mixer has gains: all channels on the
  /// global scope, otherwise those of a bus; nil if it has no gains.
  private func matrixSize(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> (
    inputs: UInt32, outputs: UInt32
  )? {
    guard
      let size = values(kAudioUnitProperty_MatrixDimensions, scope, element, of: UInt32(0)),
      size.count == 2, size[1] > 0
    else { return nil }
    return (size[0], size[1])
  }

  /// The number of buses of a scope.
  func busCount(_ scope: AudioUnitScope) -> UInt32 { (try? elementCount(scope)) ?? 0 }

  // MARK: Parameters

  /// The elements that have the parameters of a bus: the bus itself; in a matrix mixer the channels
  /// of the bus, which are numbered through all buses of the scope, or the master on the global
  /// scope.
  func parameterElements(_ scope: AudioUnitScope, _ bus: AudioUnitElement) -> [AudioUnitElement] {
    guard matrixSize(kAudioUnitScope_Global, 0) != nil else { return [bus] }
    guard scope != kAudioUnitScope_Global else { return [0xFFFF_FFFF] }
    let counts = (0...bus).map { streamDescription(scope, $0)?.mChannelsPerFrame ?? 0 }
    let end = counts.reduce(0, +)
    return Array(end - counts[Int(bus)]..<end)
  }

  /// The value of a parameter; nil if the unit does not have it.
  func setting(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> Float? {
    try? parameter(ParameterAddress(id, scope, element))
  }
}
