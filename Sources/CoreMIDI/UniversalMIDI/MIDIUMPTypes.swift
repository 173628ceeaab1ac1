// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Foundation

/// The number of a group of Universal MIDI Packets, from 0 to 15.
public typealias MIDIUMPGroupNumber = UInt8

/// The number of a function block of its endpoint, from 0 to 31.
public typealias MIDIUMPFunctionBlockID = UInt8

/// Which way messages go through a function block, as the block sees it.
public enum MIDIUMPFunctionBlockDirection: Int, Sendable {
  /// It is not known.
  case unknown = 0
  /// The block receives.
  case input = 1
  /// The block sends.
  case output = 2
  /// The block receives and sends.
  case bidirectional = 3
}

/// Whether a function block is a port of MIDI 1.0.
public enum MIDIUMPFunctionBlockMIDI1Info: Int, Sendable {
  /// It is not.
  case notMIDI1 = 0
  /// It is, and takes messages as fast as they come.
  case unrestrictedBandwidth = 1
  /// It is, and takes 31,250 bits in a second.
  case restrictedBandwidth = 2
}

/// For what programs should offer a function block.
public enum MIDIUMPFunctionBlockUIHint: Int, Sendable {
  /// It is not known.
  case unknown = 0
  /// It is mainly for receiving.
  case receiver = 1
  /// It is mainly for sending.
  case sender = 2
  /// It is for both.
  case senderReceiver = 3
}

/// The protocols that an endpoint can use.
public struct MIDIUMPProtocolOptions: OptionSet, Sendable {
  /// A bit for each protocol.
  public let rawValue: UInt

  /// A set of protocols.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// MIDI 1.0 in Universal MIDI Packets.
  public static let MIDI1 = MIDIUMPProtocolOptions(rawValue: 1)
  /// MIDI 2.0.
  public static let MIDI2 = MIDIUMPProtocolOptions(rawValue: 2)
}

/// What an object of Universal MIDI Packets stands for.
public enum MIDIUMPCIObjectBackingType: UInt8, Sendable {
  /// It is not known.
  case unknown = 0
  /// A program.
  case virtual = 1
  /// A driver.
  case driver = 2
  /// A device that is connected by USB.
  case USBMIDI = 3
}

/// An error of an endpoint or of a function block.
func refusal(_ status: OSStatus, _ reason: String) -> NSError {
  NSError(
    domain: NSOSStatusErrorDomain, code: Int(status),
    userInfo: [NSLocalizedDescriptionKey: reason])
}
