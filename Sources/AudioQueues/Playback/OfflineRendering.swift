// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import AudioSupport
internal import CAudioToolbox
import SignalProcessing

/// Renders a queue to memory: the output format, and the conversion to it.
final class OfflineRendering {
  let format: StreamFormat
  private let converter: FrameConverter
  private let memory: OwnedMemory
  /// Frames in the queue's format.
  private let planar: PlanarBuffer
  private let places: UnsafeMutablePointer<UnsafeRawPointer>
  private let room: UnsafeMutablePointer<UnsafeMutableRawPointer>
  /// Frames of `planar` that are not converted yet.
  private var waiting = 0..<0
  /// Whether everything has been rendered, and only the converter holds frames.
  private var isDraining = false

  init(_ format: StreamFormat, from source: StreamFormat, mixing: ChannelMixing)
    throws(AudioError)
  {
    self.format = format
    var setup = FrameConverter.Setup(source: source, destination: format)
    setup.mixing = mixing
    converter = try FrameConverter(setup)
    memory = OwnedMemory()
    let planar = PlanarBuffer(
      channelCount: source.channelCount, capacity: BufferDecoder.chunk, in: memory)
    self.planar = planar
    places = memory.array(
      (0..<source.channelCount).map { UnsafeRawPointer(planar.channels[$0]) })
    room = memory.room(1, for: UnsafeMutableRawPointer.self)
  }

  deinit { memory.deallocate() }

  func reset() {
    converter.reset()
    waiting = 0..<0
    isDraining = false
  }

  /// Makes at most `frames` frames in `memory`. `render` returns frames of the queue, none when it
  /// is dry;
  /// `hasEnded` returns whether more will come.
  func make(
    _ frames: Int, in memory: UnsafeMutableRawPointer,
    render: (PlanarBuffer, Int) -> Int, hasEnded: () -> Bool
  ) -> Int {
    room[0] = memory
    var made = 0
    while made < frames {
      if waiting.isEmpty {
        let wanted = min(max(1, converter.inputFrames(for: frames - made)), planar.capacity)
        let count = render(planar, wanted)
        waiting = 0..<count
        if count == 0 {
          guard hasEnded() else { return made }
          let rest = converter.drain(into: FrameRoom(room, from: made, count: frames - made))
          return made + rest
        }
      }
      let result = converter.convert(
        FrameSpan(places, from: waiting.lowerBound, count: waiting.count),
        into: FrameRoom(room, from: made, count: frames - made))
      waiting = waiting.lowerBound + result.consumed..<waiting.upperBound
      made += result.produced
    }
    return made
  }
}
