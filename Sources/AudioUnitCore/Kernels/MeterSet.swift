// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// Meters that several kinds of unit declare alike: read-only parameters, which a kernel publishes
/// by their index in this list.
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

  /// The definitions for each element: the meters, then the three values of `Clipping`.
  var definitions: [ParameterDefinition] {
    parameters
      + (reportsClipping ? Clipping.allCases.map { _ in ParameterDefinition.clipping } : [])
  }
}

/// A kernel's report of clipping since a host last read it: the peak; 1 if a sample was infinite,
/// 1 if one was NaN, otherwise 0.
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
