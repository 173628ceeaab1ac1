// SPDX-License-Identifier: Apache-2.0
import SignalProcessing
import Synchronization

/// A tap that stores the last frames sent to the device, for display.
public final class SignalTap: Sendable {
  /// The number of frames stored.
  public static let frameCount = 32_768

  private let memory = OwnedMemory()
  /// Frames written so far.
  nonisolated(unsafe) private let written: UnsafeMutablePointer<Atomic<Int>>
  nonisolated(unsafe) private let samples: UnsafeMutablePointer<Atomic<UInt32>>

  init() {
    written = memory.cell(Atomic(0))
    samples = memory.cells(2 * Self.frameCount) { _ in Atomic(0) }
  }

  deinit { memory.deallocate() }

  /// [any thread] The last `count` frames of the left (0) or the right (1) channel, at most half
  /// of `frameCount`, oldest first, with silence before the beginning. Frames that are overwritten during the read are newer than their
  /// neighbours, which is invisible in a display.
  public func last(_ count: Int, channel: Int) -> [Float] {
    let end = written.pointee.load(ordering: .acquiring)
    let count = min(count, Self.frameCount / 2)
    return (end - count..<end).map { frame in
      guard frame >= 0 else { return 0 }
      let place = 2 * (frame & (Self.frameCount - 1)) + channel
      return Float(bitPattern: samples[place].load(ordering: .relaxed))
    }
  }

  /// The part for the render thread; valid as long as the tap.
  var writer: Writer { Writer(written: written, samples: samples) }

  /// Writes frames to the tap.
  struct Writer {
    fileprivate let written: UnsafeMutablePointer<Atomic<Int>>
    fileprivate let samples: UnsafeMutablePointer<Atomic<UInt32>>

    /// [render thread] Publishes the number of frames written.
    @_noLocks
    func publish(_ frameCount: Int) { written.pointee.store(frameCount, ordering: .releasing) }

    /// [render thread] Stores one frame.
    @inline(__always) @_noLocks
    func write(_ left: Float, _ right: Float, at frame: Int) {
      let place = 2 * (frame & (SignalTap.frameCount - 1))
      samples[place].store(left.bitPattern, ordering: .relaxed)
      samples[place + 1].store(right.bitPattern, ordering: .relaxed)
    }
  }
}
