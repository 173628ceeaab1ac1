// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioSupport
import CAudioToolbox
import Testing

@Suite("Inputs of a converter")
struct ConverterInputTests {
  /// Supplies the numbers 0, 1, 2 … as mono Float32, a piece per call.
  final class Numbers: ConverterInput {
    private let samples: UnsafeMutablePointer<Float>
    private let pieces: [Int]
    private var next = 0
    private var position = 0
    /// The call that throws, and the one after whose samples the conversion stops.
    var failing: Int?
    var stopping: Int?

    init(_ pieces: [Int]) {
      self.pieces = pieces
      samples = .allocate(capacity: pieces.reduce(1, +))
      for index in 0..<pieces.reduce(0, +) { samples[index] = Float(index) }
    }

    deinit { samples.deallocate() }

    func supply(
      _ count: Int, _ list: UnsafeMutablePointer<AudioBufferList>
    ) throws(AudioError) -> SuppliedPackets {
      if next == failing {
        failing = nil
        throw .invalidFile.because("the disk is gone")
      }
      guard next < pieces.count else { return SuppliedPackets(0) }
      list.pointee.mBuffers.mData = UnsafeMutableRawPointer(samples + position)
      list.pointee.mBuffers.mDataByteSize = UInt32(pieces[next] * 4)
      defer {
        position += pieces[next]
        next += 1
      }
      return SuppliedPackets(UInt32(pieces[next]), status: next == stopping ? 1_234 : noErr)
    }
  }

  private func fill(
    _ converter: Converter, _ input: Numbers, _ count: Int
  ) -> (samples: [Float], failure: AudioError?) {
    var samples = [Float](repeating: .nan, count: count)
    var packets = UInt32(count)
    var failure: AudioError?
    samples.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
      do throws(AudioError) {
        try converter.fill(input, packets: &packets, into: &list, descriptions: nil)
      } catch { failure = error }
    }
    return (Array(samples.prefix(Int(packets))), failure)
  }

  private func converter() throws -> Converter {
    try Converter(from: Linear.float(channels: 1), to: Linear.float(channels: 1))
  }

  @Test("are asked until the output is full, and end with no packets")
  func pieces() throws {
    let (converter, input) = (try converter(), Numbers([3, 1, 4]))
    let first = fill(converter, input, 6)
    #expect(first.samples == [0, 1, 2, 3, 4, 5] && first.failure == nil)
    let rest = fill(converter, input, 6)
    #expect(rest.samples == [6, 7] && rest.failure == nil)
  }

  @Test("stop the conversion with their own error, and can go on later")
  func failure() throws {
    let (converter, input) = (try converter(), Numbers([3, 4]))
    input.failing = 1
    let first = fill(converter, input, 6)
    #expect(first.samples == [0, 1, 2])
    #expect(first.failure?.status == kAudioUnitErr_InvalidFile)
    #expect(first.failure?.explanation == "the disk is gone")
    let rest = fill(converter, input, 6)
    #expect(rest.samples == [3, 4, 5, 6] && rest.failure == nil)
  }

  @Test("report a status once the packets that came with it are used up")
  func status() throws {
    let (converter, input) = (try converter(), Numbers([3, 4]))
    input.stopping = 0
    let first = fill(converter, input, 2)
    #expect(first.samples == [0, 1] && first.failure == nil)
    let second = fill(converter, input, 2)
    #expect(second.samples == [2] && second.failure?.status == 1_234)
    #expect(fill(converter, input, 2).samples == [3, 4])
  }
}
