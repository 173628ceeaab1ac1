// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioTestSupport
import Synchronization
import Testing

@Suite("What is sent to instruments before their engine starts", .serialized)
struct MIDISenderTests {
  /// An instrument of a program, which takes MIDI only while it is initialised.
  private enum Instrument {
    static let isInitialized = Atomic(false)
    static let received = Mutex<[[UInt8]]>([])
    /// What happens while it gets a message.
    static let meanwhile = Meanwhile()

    static func make() throws -> NodeUnit {
      isInitialized.store(false, ordering: .relaxed)
      received.withLock { $0 = [] }
      var description = AudioComponentDescription(
        componentType: kAudioUnitType_MusicDevice, componentSubType: 0x7361_7665,
        componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0)
      if AudioComponentFindNext(nil, &description) == nil {
        _ = AudioComponentRegister(&description, "Tests: instrument" as CFString, 1, factory)
      }
      return try NodeUnit(description, "test")
    }

    private static let factory: AudioComponentFactoryFunction = { _ in
      let interface = UnsafeMutablePointer<AudioComponentPlugInInterface>.allocate(capacity: 1)
      interface.initialize(
        to: AudioComponentPlugInInterface(
          Open: { _, _ in noErr },
          Close: {
            $0.deallocate()
            return noErr
          }, Lookup: { method(Int($0)) }, reserved: nil))
      return interface
    }

    private static func method(_ selector: Int) -> AudioComponentMethod? {
      switch selector {
      case kAudioUnitInitializeSelect: unsafeBitCast(initialize, to: AudioComponentMethod.self)
      case kMusicDeviceMIDIEventSelect: unsafeBitCast(midiEvent, to: AudioComponentMethod.self)
      default: nil
      }
    }

    private static let initialize: AudioUnitInitializeProc = { _ in
      isInitialized.store(true, ordering: .sequentiallyConsistent)
      return noErr
    }

    private static let midiEvent: MusicDeviceMIDIEventProc = { _, status, data1, data2, _ in
      let isReady = isInitialized.load(ordering: .sequentiallyConsistent)
      meanwhile.happen()
      guard isReady else { return kAudioUnitErr_Uninitialized }
      received.withLock { $0.append([UInt8(status), UInt8(data1), UInt8(data2)]) }
      return noErr
    }
  }

  @Test("what another thread sends while that is sent comes after it, notes too")
  func order() throws {
    let unit = try Instrument.make()
    let sender = MIDISender(unit)
    sender.send(0xb0, 10, 1)
    sender.send(0xb0, 7, 1)
    sender.send(0x90, 50, 1)
    try #require(Instrument.received.withLock { $0 }.isEmpty)
    try #require(AudioUnitInitialize(unit.handle) == noErr)
    Instrument.meanwhile.set {
      sender.send(0xb0, 7, 2)
      sender.send(0x90, 60, 100)
    }
    sender.flush()
    Instrument.meanwhile.join()
    #expect(
      Instrument.received.withLock { $0 }
        == [[0xb0, 10, 1], [0xb0, 7, 1], [0xb0, 7, 2], [0x90, 60, 100]])
    sender.send(0xb0, 7, 3)
    #expect(Instrument.received.withLock { $0.last } == [0xb0, 7, 3])
  }

  @Test("nothing waits that was refused just before another thread initialised the unit")
  func justBefore() throws {
    let unit = try Instrument.make()
    let sender = MIDISender(unit)
    Instrument.meanwhile.set {
      _ = AudioUnitInitialize(unit.handle)
      sender.flush()
    }
    sender.send(0xb0, 7, 1)
    Instrument.meanwhile.join()
    #expect(Instrument.received.withLock { $0 } == [[0xb0, 7, 1]])
  }
}
