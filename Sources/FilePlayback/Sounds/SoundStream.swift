// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing
import Synchronization

/// Parts of files that follow each other, read ahead into a ring as frames of a player.
final class SoundStream: @unchecked Sendable {  // the reading thread has the variables
  /// The parts from which nothing was read, and the number of all.
  private struct Parts {
    var new: [StreamPart] = []
    var count = 1
    /// Whether the last frame has been read.
    var areRead = false
  }

  /// The frames, for the render thread; they exist as long as this object.
  let shared: UnsafeMutablePointer<StreamRing>
  /// The position in frames of the player at which it begins, if the program said so.
  let position: Int?
  private let fileFormat: StreamFormat
  private let parts = Guarded(Parts())
  /// Whether parts can follow: the rate is converted, so that it matters, and the last part ends.
  private let takesParts: Bool
  private let frames: RegionStream
  /// The parts whose ends are unknown.
  private var open: [StreamPart]
  private var freeTails: [StreamTail.Address] = []
  private let channelCount: Int
  private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// The most frames that are read ahead, and those that are read at once.
  static let capacity = 32_768
  private static let pieceFrames = 8_192

  /// [control thread] Opens the converter.
  init(
    _ part: StreamPart, at position: Int?, to format: StreamFormat
  ) throws(AudioError) {
    fileFormat = part.region.format
    frames = try RegionStream(part.region, to: format)
    takesParts = frames.changesRate && !part.region.isEndless
    self.position = position
    channelCount = format.channelCount
    let most = takesParts ? .max : frames.totalFrames ?? .max
    shared = try .cell(
      StreamRing(
        Ring(channelCount: channelCount, reserving: min(max(most, 1), Self.capacity))))
    targets = .allocate(capacity: channelCount)
    open = [part]
    frames.regionEnded = { [unowned(unsafe) self] position in
      // The part may have been stopped, so that nobody else keeps it.
      let part = open.removeFirst()
      withExtendedLifetime(part) { part.shared.pointee.end.store(position, ordering: .releasing) }
    }
    frames.endRegions()
  }

  deinit {
    for tail in freeTails { StreamTail.deallocate(tail) }
    shared.endCell()
    targets.deallocate()
  }

  /// [control thread] Adds a part that follows the last one, which has not ended, without a joint; false
  /// if it cannot follow. Only if the part is played right after the last one.
  func append(_ part: StreamPart) -> Bool {
    guard takesParts, !part.region.isEndless, part.region.format == fileFormat else { return false }
    return parts.withLock { parts in
      guard shared.pointee.endedParts.load(ordering: .acquiring) < parts.count else { return false }
      parts.new.append(part)
      parts.count += 1
      parts.areRead = false
      shared.pointee.newParts.wrappingAdd(1, ordering: .releasing)
      return true
    }
  }

  /// [any thread but a render thread] Whether a part with frames of this format may follow.
  func mayTake(_ format: StreamFormat) -> Bool { takesParts && !isOver && format == fileFormat }

  /// [any thread but a render thread] Whether the last frame of the last part has been read.
  var isRead: Bool { parts.withLock { $0.areRead } }

  /// [any thread but a render thread] Whether its sounds have ended, perhaps before the last frame.
  var isOver: Bool {
    parts.withLock { shared.pointee.endedParts.load(ordering: .acquiring) >= $0.count }
  }

  /// [any thread] The frames that were read and not played.
  var fill: Int { shared.pointee.ring.fill }

  /// [any thread but a render thread] Whether a read makes sense.
  var needsFrames: Bool {
    let room = shared.pointee.ring.room
    return !isRead && room >= min(Self.pieceFrames / 2, shared.pointee.ring.capacity)
  }

  /// [reading thread] Reads the next frames.
  func read() {
    let new = parts.withLock { parts in
      defer { parts.new = [] }
      return parts.new
    }
    for part in new {
      open.append(part)
      frames.append(part.region)
    }
    let ring = shared.pointee.ring.writable
    for channel in 0..<channelCount {
      targets[channel] = shared.pointee.ring.channels[channel] + ring.lowerBound
    }
    var count = 0
    do throws(AudioError) {
      count = try frames.make(
        min(ring.count, Self.pieceFrames), into: targets, channelCount: channelCount)
    } catch {
      Explanations.log("a player stops reading a file: \(error.text)")
      frames.endRegion()
    }
    let tail = frames.hasEnded ? makeTail() : nil
    // The ends of parts were set first, so that the render thread that plays a last frame knows it.
    shared.pointee.ring.publish(upTo: shared.pointee.ring.written + count)
    if let tail, let old = shared.pointee.offer(tail) { freeTails.append(old) }
    shared.pointee.newParts.wrappingSubtract(new.count, ordering: .releasing)
    parts.withLock { $0.areRead = $0.new.isEmpty && frames.hasEnded }
  }

  /// The frames after those of the ring, if there are any.
  private func makeTail() -> StreamTail.Address? {
    shared.pointee.takeReturned { freeTails.append($0) }
    guard frames.changesRate else { return nil }
    let tail =
      freeTails.popLast()
      ?? StreamTail.allocate(channelCount: channelCount, capacity: frames.restCapacity)
    let count = frames.makeRest(into: tail.pointee.channels, channelCount: channelCount)
    tail.pointee.setRange(frames.position..<frames.position + count)
    return tail
  }
}
