// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
// The headers come with CoreAudio, as AudioToolboxFunctions.swift explains.
@_exported import CoreAudio
import CoreFoundationBridge
import MIDIPorts
import MusicPlayers

/// The set-up that precedes the first use of the functions.
enum MIDI {
  /// [any thread] The setup of the process. The first call installs the bridge to Core Foundation.
  static var setup: Setup {
    atWork { _ = isStarted }
    return Setup.shared
  }

  private static let isStarted: Bool = {
    rt_begin_use()
    CoreFoundationBridge.install
    StatusFamily.add(.midi)
    Endpoints.sender = PlayerEndpoints()
    return true
  }()
}

/// The address of an object, which the caller keeps alive.
func address(_ object: AnyObject?) -> UnsafeRawPointer? {
  object.map { UnsafeRawPointer(Unmanaged<AnyObject>.passUnretained($0).toOpaque()) }
}

/// The text of a CFString that a program passed.
func text(_ string: UnsafeRawPointer?, _ argument: String) throws(AudioError) -> String {
  guard let string else { throw .null(argument) }
  _ = MIDI.setup
  guard let text = Bridge.current.string(string) else {
    throw .invalidArgument.because("\(argument) is not a CFString")
  }
  return text
}

/// Refuses protocols that do not exist.
func checkProtocol(_ protocolID: MIDIProtocolID) throws(AudioError) {
  guard protocolID == ._1_0 || protocolID == ._2_0 else {
    throw .invalidArgument.because("protocol \(protocolID.rawValue); expected 1 or 2")
  }
}

/// The memory for a result.
func memory<Value>(
  _ pointer: UnsafeMutablePointer<Value>?, _ argument: String
) throws(AudioError) -> UnsafeMutablePointer<Value> {
  guard let pointer else { throw .null(argument) }
  return pointer
}
