// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A number of 14 bits.
public typealias MIDIUInteger14 = UInt16

/// The identifier of a manufacturer of MIDI devices, as in system exclusive messages: one byte and two
/// zeros, or a zero and two bytes.
public struct MIDI2DeviceManufacturer: Sendable {
  /// The three bytes.
  public var sysExIDByte: (UInt8, UInt8, UInt8)

  /// Zeros.
  public init() { sysExIDByte = (0, 0, 0) }

  /// An identifier of three bytes.
  public init(sysExIDByte: (UInt8, UInt8, UInt8)) { self.sysExIDByte = sysExIDByte }
}

/// The revision of a device: four bytes, whose meaning is the manufacturer's.
public struct MIDI2DeviceRevisionLevel: Sendable {
  /// The four bytes.
  public var revisionLevel: (UInt8, UInt8, UInt8, UInt8)

  /// Zeros.
  public init() { revisionLevel = (0, 0, 0, 0) }

  /// A revision of four bytes.
  public init(revisionLevel: (UInt8, UInt8, UInt8, UInt8)) { self.revisionLevel = revisionLevel }
}

/// What a device of MIDI 2.0 says of itself. It does not change. [any thread]
open class MIDI2DeviceInfo: NSObject, @unchecked Sendable {  // immutable
  /// Who made it.
  open var manufacturerID: MIDI2DeviceManufacturer { manufacturer }
  /// The family of devices.
  open var family: MIDIUInteger14 { numbers.family }
  /// The model in the family.
  open var modelNumber: MIDIUInteger14 { numbers.model }
  /// The revision.
  open var revisionLevel: MIDI2DeviceRevisionLevel { revision }

  private let manufacturer: MIDI2DeviceManufacturer
  private let numbers: (family: MIDIUInteger14, model: MIDIUInteger14)
  private let revision: MIDI2DeviceRevisionLevel

  /// What a program says of itself. Of family and model the low 14 bits count.
  public init(
    manufacturerID: MIDI2DeviceManufacturer, family: MIDIUInteger14, modelNumber: MIDIUInteger14,
    revisionLevel: MIDI2DeviceRevisionLevel
  ) {
    manufacturer = manufacturerID
    numbers = (family & 0x3fff, modelNumber & 0x3fff)
    revision = revisionLevel
  }
}
