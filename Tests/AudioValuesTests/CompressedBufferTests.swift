// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

@Suite("AVAudioCompressedBuffer")
struct CompressedBufferTests {
  private static func format(
    _ identifier: AudioFormatID, bytesPerPacket: UInt32 = 0, framesPerPacket: UInt32 = 1_024
  ) throws -> AVAudioFormat {
    var description = AudioStreamBasicDescription()
    description.mSampleRate = 44_100
    description.mFormatID = identifier
    description.mBytesPerPacket = bytesPerPacket
    description.mFramesPerPacket = framesPerPacket
    description.mChannelsPerFrame = 1
    return try #require(AVAudioFormat(streamDescription: &description))
  }

  @Test("has room for packets and their descriptions")
  func room() throws {
    let buffer = AVAudioCompressedBuffer(
      format: try Self.format(kAudioFormatMPEG4AAC), packetCapacity: 8, maximumPacketSize: 768)
    #expect(buffer.packetCapacity == 8)
    #expect(buffer.packetCount == 0)
    #expect(buffer.byteCapacity == 6_144)
    #expect(buffer.byteLength == 0)
    #expect(buffer.packetDependencies == nil)
    let descriptions = try #require(buffer.packetDescriptions)
    #expect((0..<8).allSatisfy { descriptions[$0].mDataByteSize == 0 })
    #expect(buffer.audioBufferList.pointee.mBuffers.mData == buffer.data)
    #expect(buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 6_144)
    buffer.byteLength = 100
    #expect(buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 100)
    buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize = 200
    #expect(buffer.byteLength == 200)
  }

  @Test("needs no descriptions for packets of one size")
  func constantSize() throws {
    let buffer = AVAudioCompressedBuffer(
      format: try Self.format(kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1),
      packetCapacity: 100)
    #expect(buffer.maximumPacketSize == 1)
    #expect(buffer.byteCapacity == 100)
    #expect(buffer.packetDescriptions == nil)
  }

  @Test("copies packets and descriptions")
  func copies() throws {
    let buffer = AVAudioCompressedBuffer(
      format: try Self.format(kAudioFormatMPEG4AAC), packetCapacity: 2, maximumPacketSize: 10)
    buffer.data.storeBytes(of: 42, as: UInt8.self)
    buffer.byteLength = 7
    buffer.packetCount = 1
    buffer.packetDescriptions?[0].mDataByteSize = 7
    let copy = try #require(buffer.copy() as? AVAudioCompressedBuffer)
    #expect(copy.data != buffer.data)
    #expect(copy.data.load(as: UInt8.self) == 42)
    #expect(copy.byteLength == 7)
    #expect(copy.packetCount == 1)
    #expect(copy.packetDescriptions?[0].mDataByteSize == 7)
  }

  @Test("ends the process with a format or a size that it cannot have")
  func refused() async {
    await #expect(processExitsWith: .failure) {
      if let linear = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1) {
        _ = AVAudioCompressedBuffer(format: linear, packetCapacity: 1, maximumPacketSize: 4)
      }
    }
    await #expect(processExitsWith: .failure) {
      let buffer = try Self.format(kAudioFormatMPEG4AAC)
      _ = AVAudioCompressedBuffer(format: buffer, packetCapacity: .max, maximumPacketSize: .max)
    }
    await #expect(processExitsWith: .failure) {
      _ = AVAudioCompressedBuffer(format: try Self.format(kAudioFormatMPEG4AAC), packetCapacity: 1)
    }
    await #expect(processExitsWith: .failure) {
      let buffer = AVAudioCompressedBuffer(
        format: try Self.format(kAudioFormatMPEG4AAC), packetCapacity: 1, maximumPacketSize: 1)
      buffer.packetCount = 2
    }
  }
}
