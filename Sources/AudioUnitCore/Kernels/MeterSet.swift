// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// Meters that several units share: read-only parameters that a kernel publishes by their index in
/// this list.
///
/// A meter of a single unit is simply one of its parameters, read-only.
public struct MeterSet: Sendable {
  let parameters: [ParameterDefinition]
  /// Whether the kernel reports clipping (`Clipping`), which hosts read as
  /// `kAudioUnitProperty_MeterClipping`.
  let reportsClipping: Bool

  public init(_ meters: [(AudioUnitParameterID, ParameterSpec)], reportsClipping: Bool = false) {
    parameters = meters.map { ParameterDefinition(id: $0.0, spec: $0.1, .meter) }
    self.reportsClipping = reportsClipping
  }

  /// No meters.
  public static let none = MeterSet([])

  /// The values of each element: the meters, then the clipping.
  var definitions: [ParameterDefinition] {
    parameters
      + (reportsClipping ? Clipping.allCases.map { _ in ParameterDefinition.clipping } : [])
  }
}

/// A kernel's report of clipping: the peak, 1 for infinite samples, and 1 for NaNs. Each is the
/// maximum since a host last read it.
public enum Clipping: CaseIterable, Sendable {
  case peak, infinity, notANumber

  /// Its index among the three.
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
