// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

// The conversion itself, in passes that fit the converter's memory.
extension FrameConversion {
  /// [one thread at a time] As many frames as available, at the same rate.
  func convertSamples(_ source: FrameSpan, into room: FrameRoom) {
    if case .copy = operation { return copy(source, into: room) }
    if case .samples = operation, mixer.isIdentity {
      // The channels of one format are in memory that the other can use.
      if writer.isPlanarFloat {
        writer.locateChannels(room, writable)
        return reader.read(source, into: writable)
      }
      if reader.isPlanarFloat {
        reader.locateChannels(source, readable)
        return writer.write(readable, to: room, dither: dither)
      }
      // If both formats are interleaved, no channels are separated.
      if writer.isPackedFloat, reader.isPacked {
        return reader.read(source, into: writer.packed(room))
      }
      if reader.isPackedFloat, writer.isPacked, dither == nil {
        return writer.write(reader.packed(source), to: room)
      }
    }
    var done = 0
    while done < source.count {
      let count = min(passFrames, source.count - done)
      let span = FrameSpan(source.buffers, from: source.start + done, count: count)
      let destination = FrameRoom(room.buffers, from: room.start + done, count: count)
      if case .wideSamples = operation {
        convertWide(span, into: destination)
      } else {
        writer.write(
          mixer.outputs(of: decode(span), frameCount: count), to: destination, dither: dither)
      }
      done += count
    }
  }

  /// Returns the channels of at most one pass, decoded or in place.
  private func decode(_ span: FrameSpan) -> UnsafePointer<UnsafePointer<Float>> {
    if reader.isPlanarFloat {
      reader.locateChannels(span, readable)
      return UnsafePointer(readable)
    }
    reader.read(span, into: decoded.channels)
    return decoded.readable
  }

  private func copy(_ source: FrameSpan, into room: FrameRoom) {
    let format = setup.source
    let bytes = format.bytesPerFrame
    for buffer in 0..<format.bufferCount {
      (room.buffers[buffer] + room.start * bytes).copyMemory(
        from: source.buffers[buffer] + source.start * bytes, byteCount: source.count * bytes)
    }
  }

  private func convertWide(_ source: FrameSpan, into room: FrameRoom) {
    for channel in 0..<writer.channelCount {
      let from = mixer.source(of: channel)
      if from < 0 {
        wide.update(repeating: 0, count: source.count)
      } else {
        reader.read(from, of: source, into: wide)
      }
      writer.write(wide, to: channel, of: room, dither: dither)
    }
  }

  /// [one thread at a time] Converts frames to another rate, as many as input and room allow.
  func resample(_ source: FrameSpan, into room: FrameRoom) -> (consumed: Int, produced: Int) {
    var (consumed, produced) = (0, 0)
    while produced < room.count {
      let requested =
        dropped > 0 ? min(dropped, passFrames) : min(passFrames, room.count - produced)
      let available = bufferedFrames + source.count - consumed
      var needed = rate.pointee.inputFramesNeeded(for: requested)
      var count = requested
      if needed > available {
        count = min(requested, rate.pointee.outputFramesAvailable(from: available))
        needed = count > 0 ? rate.pointee.inputFramesNeeded(for: count) : 0
      }
      if count <= 0 {
        // Not enough for one frame: the input waits.
        gather(source, &consumed, upTo: available)
        break
      }
      if needed > 0, bufferedFrames == 0, !mixesFirst, reader.isPlanarFloat {
        // Where they are.
        let span = FrameSpan(source.buffers, from: source.start + consumed, count: needed)
        consumed += convert(decode(span), needed, count, at: &produced, into: room)
      } else {
        gather(source, &consumed, upTo: needed)
        convertHeld(count, at: &produced, into: room)
      }
    }
    return (consumed, produced)
  }

  /// [one thread at a time] Converts this many frames, with silence after the input.
  func drain(_ frames: Int, into room: FrameRoom) -> Int {
    var produced = 0
    while produced < frames {
      let count = dropped > 0 ? min(dropped, passFrames) : min(passFrames, frames - produced)
      let needed = rate.pointee.inputFramesNeeded(for: count)
      if needed > bufferedFrames {
        for channel in 0..<gathered.channelCount {
          Samples.clear(gathered.channels[channel] + bufferedFrames, count: needed - bufferedFrames)
        }
        bufferedFrames = needed
      }
      convertHeld(count, at: &produced, into: room)
    }
    return produced
  }

  /// Decodes source frames after the held ones, until `frames` are held.
  private func gather(_ source: FrameSpan, _ consumed: inout Int, upTo frames: Int) {
    while bufferedFrames < frames {
      let count = min(passFrames, frames - bufferedFrames)
      let span = FrameSpan(source.buffers, from: source.start + consumed, count: count)
      if mixesFirst {
        let mixed = mixer.outputs(of: decode(span), frameCount: count)
        for channel in 0..<gathered.channelCount {
          Samples.copy(
            mixed[channel], to: gathered.channels[channel] + bufferedFrames, count: count)
        }
      } else {
        reader.read(span, into: gathered.from(bufferedFrames))
      }
      bufferedFrames += count
      consumed += count
    }
  }

  /// Converts held frames; those that the filter did not read remain.
  private func convertHeld(_ count: Int, at produced: inout Int, into room: FrameRoom) {
    let used = convert(gathered.readable, bufferedFrames, count, at: &produced, into: room)
    bufferedFrames -= used
    guard bufferedFrames > 0 else { return }
    for channel in 0..<gathered.channelCount {
      let samples = gathered.channels[channel]
      Samples.move(samples + used, to: samples, count: bufferedFrames)
    }
  }

  /// Converts channels to `count` output frames; returns how many frames the filter has read.
  private func convert(
    _ input: UnsafePointer<UnsafePointer<Float>>, _ inputFrames: Int, _ count: Int,
    at produced: inout Int, into room: FrameRoom
  ) -> Int {
    let used = rate.pointee.process(
      input: input, inputFrames: inputFrames, output: resampled.channels, outputFrames: count)
    if dropped > 0 {
      dropped -= count
      return used
    }
    let destination = FrameRoom(room.buffers, from: room.start + produced, count: count)
    let channels = resampled.readable
    writer.write(
      mixesFirst ? channels : mixer.outputs(of: channels, frameCount: count), to: destination,
      dither: dither)
    produced += count
    return used
  }
}
