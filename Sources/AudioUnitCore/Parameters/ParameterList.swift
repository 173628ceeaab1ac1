// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox

/// The parameters that a unit has now, as hosts see them: by scope and identifier.
package struct ParameterList: Sendable {
  private let definitions: [ParameterDefinition]

  package init(_ definitions: [ParameterDefinition]) { self.definitions = definitions }

  /// The parameters that elements of a scope have.
  package func of(_ scope: AudioUnitScope) -> [ParameterDefinition] {
    definitions.filter { $0.spec.scopes.contains(scope) }
  }

  /// A parameter of a scope.
  package func parameter(_ id: AudioUnitParameterID, _ scope: AudioUnitScope) throws(AudioError)
    -> ParameterDefinition
  {
    let found = definitions.first { $0.id == id && $0.spec.scopes.contains(scope) }
    guard let found else {
      throw .invalidParameter.because(
        "parameter \(id) is not on the \(Element.scopeName(scope)) scope")
    }
    return found
  }

  /// Whether some are in groups that hosts show together.
  var hasClumps: Bool { definitions.contains { $0.spec.clump != nil } }

  /// A group of a scope's parameters.
  func clump(_ id: UInt32, _ scope: AudioUnitScope) throws(AudioError) -> ParameterSpec.Clump {
    let clumps = of(scope).compactMap(\.spec.clump)
    guard let found = clumps.first(where: { $0.id == id }) else {
      let ids = Set(clumps.map(\.id)).sorted().map { "\($0)" }.joined(separator: ", ")
      throw .invalidPropertyValue.because(
        "there is no clump \(id) on the \(Element.scopeName(scope)) scope; there are \(ids)")
    }
    return found
  }
}
