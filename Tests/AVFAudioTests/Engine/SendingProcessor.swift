// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Synchronization
import Testing

/// A silent unit that sends one message in each render, from memory of its own, if something takes its
/// MIDI.
final class SendingProcessor: AUAudioUnit {
  private static let sendsBytes = Atomic(false)
  private var outputs: AUAudioUnitBusArray?
  private let list = UnsafeMutablePointer<MIDIEventList>.allocate(capacity: 1)
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 3)

  override init(
    componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
    list.initialize(to: MIDIEventList())
    list.pointee.protocol = ._1_0
    list.pointee.numPackets = 1
    list.pointee.packet.wordCount = 1
    list.pointee.packet.words.0 = 0x2090_3c64
    for (index, byte) in ([0x90, 60, 100] as [UInt8]).enumerated() { bytes[index] = byte }
  }

  deinit {
    list.deallocate()
    bytes.deallocate()
  }

  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
  override var midiOutputNames: [String] { ["Out"] }

  override var internalRenderBlock: AUInternalRenderBlock {
    let (bytesBlock, listBlock) = (midiOutputEventBlock, midiOutputEventListBlock)
    let sendsBytes = Self.sendsBytes.load(ordering: .relaxed)
    nonisolated(unsafe) let (list, bytes) = (list, bytes)
    return { _, time, _, _, output, _, _ in
      for buffer in UnsafeMutableAudioBufferListPointer(output) {
        buffer.mData?.assumingMemoryBound(to: UInt8.self)
          .update(repeating: 0, count: Int(buffer.mDataByteSize))
      }
      let start = AUEventSampleTime(time.pointee.mSampleTime)
      if sendsBytes { return bytesBlock?(start, 0, 3, bytes) ?? noErr }
      return listBlock?(start, 0, list) ?? noErr
    }
  }

  /// A node of a new unit, which sends its message as bytes or in a list.
  static func node(
    _ type: OSType = kAudioUnitType_MIDIProcessor, sendsBytes: Bool = false
  ) async throws -> AVAudioUnit {
    Self.sendsBytes.store(sendsBytes, ordering: .relaxed)
    var description = AudioComponentDescription(
      componentType: type, componentSubType: 0x7365_6e64,
      componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0)
    // Components stay for ever, so each is registered once.
    if AudioComponentFindNext(nil, &description) == nil {
      AUAudioUnit.registerSubclass(
        self, as: description, name: "Tests: sending processor", version: 1)
    }
    return try await AVAudioUnit.instantiate(with: description)
  }
}
