// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

@testable import BuiltInUnits

/// Synchronises a render that reads a property with a thread that changes the bank.
private final class Handshake: @unchecked Sendable {  // the unit is only passed on
  let unit: AudioUnit
  let isInside = Atomic(false)
  let isChanging = Atomic(false)
  let status = Atomic<OSStatus>(1)

  init(_ unit: AudioUnit) { self.unit = unit }

  /// [render thread] Reads a property once, while the other thread holds the lock of the unit.
  func readCount() {
    guard !isInside.exchange(true, ordering: .sequentiallyConsistent) else { return }
    while !isChanging.load(ordering: .sequentiallyConsistent) { usleep(1_000) }
    usleep(20_000)
    var (count, size): (UInt32, UInt32) = (0, 4)
    status.store(
      AudioUnitGetProperty(
        unit, kMusicDeviceProperty_InstrumentCount, kAudioUnitScope_Global, 0, &count, &size),
      ordering: .sequentiallyConsistent)
  }
}

@Suite("Banks of instruments", .enabled(if: InstrumentHost.isAvailable))
struct InstrumentBankTests {
  @Test("are exchanged while a render reads a property", .timeLimit(.minutes(60)))
  func exchange() throws {
    let synth = try InstrumentHost()
    let handshake = Handshake(synth.unit)
    let notify: AURenderCallback = { context, _, _, _, _, _ in
      Unmanaged<Handshake>.fromOpaque(context).takeUnretainedValue().readCount()
      return noErr
    }
    let context = Unmanaged.passUnretained(handshake).toOpaque()
    #expect(AudioUnitAddRenderNotify(synth.unit, notify, context) == noErr)
    nonisolated(unsafe) let host = synth
    let render = OwnThread { (try? host.render(512)) != nil }
    while !handshake.isInside.load(ordering: .sequentiallyConsistent) { usleep(1_000) }
    handshake.isChanging.store(true, ordering: .sequentiallyConsistent)
    let bank = NSURL(fileURLWithPath: try BankFile.defaultPath())
    let address = Unmanaged.passUnretained(bank).toOpaque()
    #expect(synth.host.unit.setting(kMusicDeviceProperty_SoundBankURL, to: address) == noErr)
    #expect(render.join())
    // The render gets the value, or is refused because it must not wait.
    #expect(
      [noErr, kAudioUnitErr_CannotDoInCurrentContext]
        .contains(handshake.status.load(ordering: .sequentiallyConsistent)))
    #expect(AudioUnitRemoveRenderNotify(synth.unit, notify, context) == noErr)
  }
}
