// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioSupport
import CAudioToolbox
import Testing

/// Formats, property values and specifiers with numbers that no correct program passes: each call
/// returns, soon, with or without an error.
@Suite("Fuzz: hostile formats")
struct HostileFormatFuzzTests {
  /// Far more than any case needs, and far less than one that follows a number would take.
  private static let limit = Duration.seconds(5)

  private static let ids: [AudioFormatID] = [
    kAudioFormatLinearPCM, kAudioFormatLinearPCM, kAudioFormatLinearPCM, kAudioFormatMPEG4AAC,
    kAudioFormatMPEG4AAC_HE, kAudioFormatMPEGLayer3, kAudioFormatAppleLossless, kAudioFormatFLAC,
    kAudioFormatOpus, 0x766F_7262, kAudioFormatAppleIMA4, kAudioFormatULaw, kAudioFormatALaw, 0,
  ]
  private static let rates: [Double] = [
    44_100, 44_100, 48_000, 8_000, 0, -1, 1, 0.001, 2_999_999, 3e6, 1e9, 1e12, 1e300, .nan,
    .infinity,
    -.infinity, .leastNonzeroMagnitude, -0.0,
  ]
  private static let counts: [UInt32] = [
    0, 1, 2, 2, 2, 3, 4, 6, 8, 16, 24, 32, 64, 255, 1_024, 1_025, 65_535, 65_536, 1 << 26, 1 << 28,
    1 << 30, 0x7FFF_FFFF, 0x8000_0000, .max,
  ]

  /// A format of which some fields are hostile.
  private func format(_ random: inout Sequence64) -> AudioStreamBasicDescription {
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int(random.next() % UInt64(values.count))]
    }
    var format = AudioStreamBasicDescription()
    format.mFormatID = pick(Self.ids)
    format.mSampleRate = 44_100
    format.mChannelsPerFrame = UInt32(1 + random.next() % 2)
    if format.mFormatID == kAudioFormatLinearPCM {
      format = Linear.format(
        channels: Int(format.mChannelsPerFrame), bits: pick([8, 16, 24, 32]),
        planar: random.next() % 2 == 0)
    }
    for _ in 0..<random.next() % 4 {
      switch random.next() % 8 {
      case 0: format.mSampleRate = pick(Self.rates)
      case 1: format.mChannelsPerFrame = pick(Self.counts)
      case 2: format.mBitsPerChannel = pick(Self.counts)
      case 3: format.mBytesPerFrame = pick(Self.counts)
      case 4: format.mBytesPerPacket = pick(Self.counts)
      case 5: format.mFramesPerPacket = pick(Self.counts)
      case 6: format.mFormatFlags = UInt32(truncatingIfNeeded: random.next())
      default: format.mFormatFlags = pick(Self.counts)
      }
    }
    return format
  }

  /// Runs one case, which may not take long.
  private func bounded(_ name: @autoclosure () -> String, _ body: () -> Void) {
    let start = ContinuousClock.now
    body()
    let time = ContinuousClock.now - start
    #expect(time < Self.limit, "\(name()) took \(time)")
  }

  @Test("converters are made, changed, and filled, or refused")
  func converters() {
    for round in 0..<rounds {
      var random = Sequence64(state: UInt64(round) &* 31 &+ 7)
      let (input, output) = (format(&random), format(&random))
      bounded("round \(round): \(input) to \(output)") {
        guard
          let handle = try? Converter.make(
            from: input, to: output, isUnbuffered: random.next() % 8 == 0)
        else { return }
        defer { try? Converter.dispose(handle) }
        try? Converter.use(handle) { converter in
          for _ in 0..<8 { change(converter, &random) }
          fill(converter, handle, &random)
        }
      }
    }
  }

  /// Reads and sets a property with hostile bytes.
  private func change(_ converter: Converter, _ random: inout Sequence64) {
    let id = Converter.propertyIDs[Int(random.next() % UInt64(Converter.propertyIDs.count))]
    let information = try? converter.information(of: id)
    // Objects are addresses, which a program has to pass correctly.
    let objects = [
      kAudioConverterPropertySettings, kAudioCodecPropertySettings,
      kAudioCodecPropertyNameCFString, kAudioCodecPropertyManufacturerCFString,
      kAudioCodecPropertyFormatCFString, kAudioCodecPropertyFormatInfo,
    ]
    guard !objects.contains(id) else { return }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { memory.deallocate() }
    let words = memory.bindMemory(to: UInt32.self)
    for index in words.indices {
      words[index] =
        random.next() % 2 == 0
        ? Self.counts[Int(random.next() % UInt64(Self.counts.count))]
        : UInt32(truncatingIfNeeded: random.next())
    }
    var size = UInt32(random.next() % 4 == 0 ? random.next() % 64 : 1 << 16)
    guard let start = memory.baseAddress else { return }
    try? converter.read(id, into: start, size: &size)
    let count = min(
      Int(random.next() % 3 == 0 ? random.next() % 64 : UInt64(information?.size ?? 4)), 1 << 16)
    try? converter.write(id, UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// Fills buffers of hostile sizes from an input function that supplies hostile counts.
  private func fill(
    _ converter: Converter, _ handle: AudioConverterRef, _ random: inout Sequence64
  ) {
    final class Supply {
      var calls = 0
      var counts: [UInt32] = []
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
      deinit { memory.deallocate() }
    }
    let supply = Supply()
    supply.memory.initializeMemory(as: UInt8.self, repeating: 0x7F, count: 1 << 16)
    supply.counts = (0..<4).map { _ in Self.counts[Int(random.next() % UInt64(Self.counts.count))] }
    let call = InputCall(
      { _, packets, list, _, userData in
        guard let userData else { return kAudio_ParamError }
        let supply = Unmanaged<Supply>.fromOpaque(userData).takeUnretainedValue()
        supply.calls += 1
        packets.pointee = supply.calls > 4 ? 0 : supply.counts[supply.calls - 1]
        for buffer in list.allBuffers.indices {
          list.allBuffers[buffer].mData = supply.memory
          list.allBuffers[buffer].mDataByteSize = UInt32(supply.calls % 3 == 0 ? 1 : 1 << 12)
        }
        return noErr
      }, Unmanaged.passUnretained(supply).toOpaque(), for: handle)
    let bufferCount = 8
    let list = UnsafeMutablePointer<AudioBufferList>.allocate(bufferCount: bufferCount)
    let room = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer {
      list.deallocate()
      room.deallocate()
    }
    for index in 0..<bufferCount {
      list.allBuffers[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(random.next() % 3 == 0 ? 1 : 1 << 16), mData: room
      )
    }
    var packets = Self.counts[Int(random.next() % UInt64(Self.counts.count))]
    // Room for descriptions is as large as the program says, which has to be true.
    var descriptions = [AudioStreamPacketDescription](repeating: .init(), count: 512)
    packets = min(packets, 512)
    try? converter.fill(call, packets: &packets, into: list, descriptions: &descriptions)
  }

  @Test(
    "format properties have a value, or refuse their specifier", arguments: FormatProperties.ids)
  func properties(id: AudioFormatPropertyID) {
    let room = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { room.deallocate() }
    for round in 0..<max(20, rounds / 10) {
      var random = Sequence64(state: UInt64(round) &* 97 &+ UInt64(id))
      let specifier = self.specifier(of: id, &random)
      bounded("round \(round)") {
        specifier.withUnsafeBytes { bytes in
          if let size = try? FormatProperties.size(of: id, bytes) { #expect(size < 1 << 26) }
          // Texts are objects, which only a bridge to Core Foundation makes.
          guard id != kAudioFormatProperty_FormatName, !Self.texts.contains(id) else { return }
          room.initializeMemory(as: UInt8.self, repeating: 0x55, count: 64)
          if round % 2 == 0 {
            var format = self.format(&random)
            room.copyMemory(from: &format, byteCount: 40)
          }
          var size = UInt32(random.next() % 4 == 0 ? random.next() % 64 : 1 << 20)
          try? FormatProperties.read(id, bytes, into: room, size: &size)
        }
      }
    }
  }

  private static let texts = [
    kAudioFormatProperty_ChannelLayoutName, kAudioFormatProperty_ChannelLayoutSimpleName,
    kAudioFormatProperty_ChannelName, kAudioFormatProperty_ChannelShortName,
  ]

  /// A layout that lives as long as the process.
  private nonisolated(unsafe) static let layouts: [UnsafeMutableRawPointer] = [
    [kAudioChannelLayoutTag_DiscreteInOrder | 65_535, 0, 0], [kAudioChannelLayoutTag_Stereo, 0, 0],
    [kAudioChannelLayoutTag_UseChannelBitmap, .max, 0], [0xFFFF_FFFF, 0, 0],
    [kAudioChannelLayoutTag_HOA_ACN_SN3D | 65_535, 0, 0],
    [kAudioChannelLayoutTag_UseChannelDescriptions, 0, .max], [0, 0, 0],
  ].map { (words: [UInt32]) in
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    memory.initializeMemory(as: UInt32.self, repeating: 0, count: 16)
    memory.copyMemory(from: words, byteCount: 12)
    return memory
  }

  /// Bytes that the property could take as its specifier; addresses in it are valid.
  private func specifier(of id: AudioFormatPropertyID, _ random: inout Sequence64) -> [UInt8] {
    func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
      withUnsafeBytes(of: value) { Array($0) }
    }
    let layouts = Self.layouts
    func layout() -> UnsafeMutableRawPointer {
      layouts[Int(random.next() % UInt64(layouts.count))]
    }
    func structure<Value>(_ type: Value.Type, layoutAt offset: Int?) -> [UInt8] {
      let words = (0..<MemoryLayout<Value>.size / 4).map { _ in
        Self.counts[Int(random.next() % UInt64(Self.counts.count))]
      }
      var all = words.withUnsafeBytes { Array($0) }
      if let offset { all.replaceSubrange(offset..<offset + 8, with: bytes(layout())) }
      return all
    }
    switch id {
    case kAudioFormatProperty_ChannelMap, kAudioFormatProperty_MatrixMixMap,
      kAudioFormatProperty_AreChannelLayoutsEquivalent:
      return bytes((layout(), layout()))
    case kAudioFormatProperty_PanningMatrix:
      return structure(
        AudioPanningInfo.self,
        layoutAt: MemoryLayout<AudioPanningInfo>.offset(of: \.mOutputChannelMap))
    case kAudioFormatProperty_BalanceFade:
      return structure(
        AudioBalanceFade.self, layoutAt: MemoryLayout<AudioBalanceFade>.offset(of: \.mChannelLayout)
      )
    default: break
    }
    switch random.next() % 6 {
    case 0: return bytes(format(&random))
    case 1:
      var info = AudioFormatInfo()
      info.mASBD = format(&random)
      return bytes(info)
    case 2: return bytes((layout(), layout()))
    case 3: return Array(UnsafeRawBufferPointer(start: layout(), count: 64))
    case 4: return bytes(Self.counts[Int(random.next() % UInt64(Self.counts.count))])
    default: return []
    }
  }
}
