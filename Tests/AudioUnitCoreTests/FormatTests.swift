// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
@testable import AudioSupport
@testable import AudioUnitCore
import Testing

@Suite("Stream formats")
struct FormatTests {
  /// A description that names only its special values.
  struct Description: CustomTestStringConvertible, Sendable {
    var name: String
    var isConsistent: Bool
    var description: AudioStreamBasicDescription

    init(
      _ name: String, _ isConsistent: Bool, flags: UInt32 = 0x29, bytes: UInt32 = 4,
      packet: UInt32? = nil, frames: UInt32 = 1, channels: UInt32 = 2, bits: UInt32 = 32,
      rate: Double = 44_100, id: UInt32 = kAudioFormatLinearPCM
    ) {
      self.name = name
      self.isConsistent = isConsistent
      description = AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: id, mFormatFlags: flags, mBytesPerPacket: packet ?? bytes,
        mFramesPerPacket: frames, mBytesPerFrame: bytes, mChannelsPerFrame: channels,
        mBitsPerChannel: bits, mReserved: 0)
    }

    var testDescription: String { name }

    static let all: [Description] = [
      .init("planar float", true),
      .init("interleaved float", true, flags: 0x9, bytes: 8),
      .init("interleaved float without the packed flag", true, flags: 0x1, bytes: 8),
      .init("mono float, flags float alone", true, flags: 0x1, channels: 1),
      .init("16-bit interleaved", true, flags: 0xC, bytes: 4, bits: 16),
      .init("24 bits in 3 bytes", true, flags: 0xC, bytes: 6, bits: 24),
      .init("24 bits high in 4 bytes", true, flags: 0x14, bytes: 8, bits: 24),
      .init("8.24 planar", true, flags: 0xC2C, bytes: 4, bits: 32),
      .init("64-bit float", true, bytes: 8, bits: 64),
      .init("big-endian float", true, flags: 0x2B),
      .init("1,024 channels", true, channels: 1024),
      .init("no channels", false, channels: 0),
      .init("1,025 channels", false, channels: 1025),
      .init("planar with the bytes of a frame of all channels", true, bytes: 8, bits: 64),
      .init("interleaved with the bytes of one channel", false, flags: 0x9, bytes: 4),
      .init("bits that do not fill a float", false, bits: 24),
      .init("more bits than bytes", false, bytes: 2, bits: 32),
      .init("packed with room to spare", false, flags: 0xC, bytes: 8, bits: 24),
      .init("two frames in a packet", false, packet: 8, frames: 2),
      .init("packet unlike frame", false, packet: 8),
      .init("no bytes", false, bytes: 0),
      .init("no bits", false, bits: 0),
      .init("compressed", false, id: kAudioFormatMPEG4AAC),
      .init("no format", false, id: 0),
      .init("rate zero", false, rate: 0),
      .init("negative rate", false, rate: -44_100),
      .init("rate not a number", false, rate: .nan),
      .init("rate of 3 MHz", false, rate: 3e6),
    ]
  }

  @Test(
    "are accepted if they are consistent, and read back with all flags", arguments: Description.all)
  func consistency(row: Description) throws {
    guard row.isConsistent else {
      #expect(throws: AudioError.self) { try StreamFormat(row.description) }
      return
    }
    let back = try StreamFormat(row.description).description
    #expect(back.mFormatFlags == row.description.mFormatFlags)
    #expect(back.mBytesPerFrame == row.description.mBytesPerFrame)
    #expect(back.mBytesPerPacket == row.description.mBytesPerPacket)
    #expect(back.mBitsPerChannel == row.description.mBitsPerChannel)
    #expect(back.mChannelsPerFrame == row.description.mChannelsPerFrame)
    #expect(back.mFramesPerPacket == 1)
  }

  @Test("a generator accepts planar native Float32, with or without the packed flag")
  func kernelFormats() throws {
    let accepted = Description.all.filter { row in
      guard let host = try? Host(.counter) else { return false }
      return host.set(
        kAudioUnitProperty_StreamFormat, row.description, kAudioUnitScope_Output) == noErr
    }
    #expect(
      accepted.map(\.name) == ["planar float", "mono float, flags float alone", "1,024 channels"])
  }

  @Test(
    "an effect accepts every consistent format on both sides",
    arguments: [kAudioUnitScope_Input, kAudioUnitScope_Output])
  func effectFormats(scope: AudioUnitScope) throws {
    let host = try Host(.echo)
    for row in Description.all where row.isConsistent {
      #expect(
        host.set(kAudioUnitProperty_StreamFormat, row.description, scope) == noErr, "\(row.name)")
    }
  }

  @Test("inconsistent formats are refused with the format error")
  func refusal() throws {
    let host = try Host(.echo)
    for row in Description.all where !row.isConsistent {
      #expect(
        host.set(kAudioUnitProperty_StreamFormat, row.description, kAudioUnitScope_Input)
          == kAudioUnitErr_FormatNotSupported, "\(row.name)")
    }
  }

  @Test("a new element has 44,100 Hz stereo planar Float32")
  func standard() throws {
    let host = try Host(.sums)
    for (scope, element) in [(kAudioUnitScope_Input, 1), (kAudioUnitScope_Output, 0)] {
      let format = try host.get(
        kAudioUnitProperty_StreamFormat, as: AudioStreamBasicDescription.self, scope,
        UInt32(element))
      let expected = planarFormat()
      #expect(
        [format, expected].map { ($0.mSampleRate, $0.mFormatID, $0.mFormatFlags) }.allSatisfy {
          $0 == (44_100, kAudioFormatLinearPCM, 0x29)
        })
      #expect(format.mBytesPerFrame == 4 && format.mChannelsPerFrame == 2)
    }
  }

  @Test("36 bytes are enough, and the reserved field may contain anything")
  func reserved() throws {
    let host = try Host(.echo)
    let id = kAudioUnitProperty_StreamFormat
    var format = planarFormat(48_000)
    format.mReserved = 0xDEAD_BEEF
    #expect(host.set(id, format, kAudioUnitScope_Input) == noErr)
    #expect(host.set(id, planarFormat(96_000), kAudioUnitScope_Input, size: 36) == noErr)
    let read = try host.get(id, as: AudioStreamBasicDescription.self, kAudioUnitScope_Input)
    #expect(read.mSampleRate == 96_000 && read.mReserved == 0)
    #expect(host.initialize() == kAudioUnitErr_FormatNotSupported, "the output has another rate")
  }

  @Test("the global scope means the first output")
  func globalScope() throws {
    let host = try Host(.sums)
    #expect(host.set(kAudioUnitProperty_SampleRate, 32_000.0, kAudioUnitScope_Global) == noErr)
    let rates = try [(kAudioUnitScope_Output, 0), (kAudioUnitScope_Output, 1)].map {
      try host.get(kAudioUnitProperty_SampleRate, as: Float64.self, $0.0, UInt32($0.1))
    }
    #expect(rates == [32_000, 44_100])
    #expect(host.setFormat(kAudioUnitScope_Global, rate: 22_050, channels: 1) == noErr)
    let format = try host.get(
      kAudioUnitProperty_StreamFormat, as: AudioStreamBasicDescription.self,
      kAudioUnitScope_Output)
    #expect(format.mSampleRate == 22_050 && format.mChannelsPerFrame == 1)
  }

  @Test("setting only the sample rate does not change the rest of a format")
  func sampleRate() throws {
    let host = try Host(.echo)
    #expect(host.setFormat(kAudioUnitScope_Input, channels: 1) == noErr)
    #expect(host.set(kAudioUnitProperty_SampleRate, 8_000.0, kAudioUnitScope_Input) == noErr)
    let format = try host.get(
      kAudioUnitProperty_StreamFormat, as: AudioStreamBasicDescription.self,
      kAudioUnitScope_Input)
    #expect(format.mSampleRate == 8_000 && format.mChannelsPerFrame == 1)
    #expect(
      host.set(kAudioUnitProperty_SampleRate, -1.0, kAudioUnitScope_Input)
        == kAudioUnitErr_FormatNotSupported)
  }

  @Test(
    "channel rules have the meaning that the header describes",
    arguments: [
      (2, 2, [2], [2], true), (2, 2, [2], [1], false), (1, 2, [1], [2], true),
      (-1, -1, [5], [5], true), (-1, -1, [5], [4], false), (-1, -2, [5], [1], true),
      (-2, -1, [1], [7], true), (0, 2, [], [2], true), (0, -1, [], [9], true),
      (0, 2, [2], [2], false), (-1, 2, [7], [2], true), (-1, 2, [7], [3], false),
      (3, -1, [3], [8], true), (3, -1, [2], [8], false), (-8, 2, [4, 4], [2], true),
      (-8, 2, [4, 5], [2], false),
    ] as [(Int16, Int16, [Int], [Int], Bool)])
  func channelRules(
    inRule: Int16, outRule: Int16, inputs: [Int], outputs: [Int], fits: Bool
  ) {
    let rule = AUChannelInfo(inChannels: inRule, outChannels: outRule)
    #expect(ChannelRules.fits(rule, inputs, outputs) == fits)
  }
}
