// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// The parameters of one kind of unit: an enumeration whose raw values are the identifiers of the C
/// API, in the order in which a host lists them. At most 256 cases; identifiers may have gaps.
///
/// A unit with more parameters, or with the same parameters for many bands, uses a structure with
/// its own `slot`.
public protocol ParameterKey: RawRepresentable<AudioUnitParameterID>, CaseIterable, Sendable,
  BitwiseCopyable
{
  var spec: ParameterSpec { get }
  /// The index of its value: the number of the case, counted from zero.
  var slot: Int { @_noLocks get }
}

extension ParameterKey {
  public var slot: Int {
    // An enumeration without payload is stored as the number of its case; one with a single case
    // needs no storage at all.
    @_noLocks @inlinable @inline(__always)
    get { MemoryLayout<Self>.size == 0 ? 0 : Int(unsafeBitCast(self, to: UInt8.self)) }
  }
}

/// For units without parameters.
public enum NoParameters: AudioUnitParameterID, ParameterKey, CaseIterable {
  case none = 0xFFFF_FFFF
  public static let allCases: [NoParameters] = []
  public var spec: ParameterSpec { .init("none", .generic, 0...0, default: 0) }
}
