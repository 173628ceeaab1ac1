// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio

// The functions of AudioOutputUnit.h.

@c @implementation
public func AudioOutputUnitStart(_ ci: AudioUnit) -> OSStatus {
  status(ci) { unit throws(AudioError) in try unit.start() }
}

@c @implementation
public func AudioOutputUnitStop(_ ci: AudioUnit) -> OSStatus {
  status(ci) { unit throws(AudioError) in try unit.stop() }
}
