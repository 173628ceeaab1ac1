// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import AudioSupport
internal import CAudioToolbox
import SignalProcessing

/// Renders a queue to memory, and converts its frames to the output format.
final class OfflineRendering {
  let format: StreamFormat
  private let converter: FrameConversion
  private let memory: OwnedMemory
  /// Frames in the queue's format.
  private let planar: PlanarBuffer
  private let planarAddresses: UnsafeMutablePointer<UnsafeRawPointer>
  private let outputAddress: UnsafeMutablePointer<UnsafeMutableRawPointer>
  /// Frames of `planar` that are not converted yet.
  private var pending = 0..<0
  /// Whether all frames have been rendered, and only the converter still has some.
  private var isDraining = false

  init(_ format: StreamFormat, from source: StreamFormat, mixing: ChannelMixing)
    throws(AudioError)
  {
    self.format = format
    var setup = FrameConversion.Setup(source: source, destination: format)
    setup.mixing = mixing
    converter = try FrameConversion(setup)
    memory = OwnedMemory()
    let planar = PlanarBuffer(
      channelCount: source.channelCount, capacity: BufferDecoder.chunk, in: memory)
    self.planar = planar
    planarAddresses = memory.array(
      (0..<source.channelCount).map { UnsafeRawPointer(planar.channels[$0]) })
    outputAddress = memory.room(1, for: UnsafeMutableRawPointer.self)
  }

  deinit { memory.deallocate() }

  func reset() {
    converter.reset()
    pending = 0..<0
    isDraining = false
  }

  /// Writes at most `frames` frames to `memory`; returns how many. `render` writes frames of the
  /// queue and returns their number, 0 when the queue has none; `hasEnded` returns whether no more
  /// will come.
  func make(
    _ frames: Int, in memory: UnsafeMutableRawPointer,
    render: (PlanarBuffer, Int) -> Int, hasEnded: () -> Bool
  ) -> Int {
    outputAddress[0] = memory
    var made = 0
    while made < frames {
      if pending.isEmpty {
        let requested = min(max(1, converter.inputFrames(for: frames - made)), planar.capacity)
        let count = render(planar, requested)
        pending = 0..<count
        if count == 0 {
          guard hasEnded() else { return made }
          let rest = converter.drain(
            into: FrameRoom(outputAddress, from: made, count: frames - made))
          return made + rest
        }
      }
      let result = converter.convert(
        FrameSpan(planarAddresses, from: pending.lowerBound, count: pending.count),
        into: FrameRoom(outputAddress, from: made, count: frames - made))
      pending = pending.lowerBound + result.consumed..<pending.upperBound
      made += result.produced
    }
    return made
  }
}
