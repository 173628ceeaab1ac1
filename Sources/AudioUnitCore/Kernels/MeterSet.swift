// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// Meters that several units have alike: read-only parameters, which a kernel publishes by their places
/// in this list.
///
/// A meter of one unit alone is a read-only parameter among its others.
public struct MeterSet: Sendable {
  let parameters: [ParameterDefinition]
  /// Whether the kernel tells what clipped (`Clipping`), which hosts read as
  /// `kAudioUnitProperty_MeterClipping`.
  let tellsClipping: Bool

  public init(_ meters: [(AudioUnitParameterID, ParameterSpec)], tellsClipping: Bool = false) {
    parameters = meters.map { ParameterDefinition(id: $0.0, spec: $0.1, .meter) }
    self.tellsClipping = tellsClipping
  }

  /// No meters.
  public static let none = MeterSet([])

  /// What each element keeps of them: the meters, then what clipped.
  var definitions: [ParameterDefinition] {
    parameters
      + (tellsClipping ? Clipping.allCases.map { _ in ParameterDefinition.clipping } : [])
  }
}

/// What a kernel tells of samples that clip: the largest of them, and 1 where there were infinite ones and
/// such that are no numbers. Each is the most since a host read it last.
public enum Clipping: CaseIterable, Sendable {
  case peak, infinity, notANumber

  /// The place of its value among the three.
  var index: Int {
    @_noLocks get {
      switch self {
      case .peak: 0
      case .infinity: 1
      case .notANumber: 2
      }
    }
  }
}
