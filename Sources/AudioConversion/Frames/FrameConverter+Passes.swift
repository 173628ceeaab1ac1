// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

// The conversion itself, in passes that fit the converter's memory.
extension FrameConverter {
  /// [render thread] As many frames as available, at the same rate.
  func convertSamples(_ source: FrameSpan, into room: FrameRoom) {
    if case .copy = work { return copy(source, into: room) }
    if case .samples = work, mixer.isIdentity {
      // The channels of one side are in memory that the other side can use.
      if writer.isPlanarFloat {
        writer.find(room, writable)
        return reader.read(source, into: writable)
      }
      if reader.isPlanarFloat {
        reader.find(source, readable)
        return writer.write(readable, to: room, dither: dither)
      }
      // If both sides are interleaved, no channels are separated.
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
      let place = FrameRoom(room.buffers, from: room.start + done, count: count)
      if case .wideSamples = work {
        convertWide(span, into: place)
      } else {
        writer.write(mixer.outputs(of: decode(span), frameCount: count), to: place, dither: dither)
      }
      done += count
    }
  }

  /// The channels of at most one pass, decoded or in place.
  private func decode(_ span: FrameSpan) -> UnsafePointer<UnsafePointer<Float>> {
    if reader.isPlanarFloat {
      reader.find(span, readable)
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

  /// [render thread] Frames at another rate: as many as input and room allow.
  func resample(_ source: FrameSpan, into room: FrameRoom) -> (taken: Int, made: Int) {
    var (taken, made) = (0, 0)
    while made < room.count {
      let wanted = dropped > 0 ? min(dropped, passFrames) : min(passFrames, room.count - made)
      let available = held + source.count - taken
      var needed = rate.pointee.inputFramesNeeded(for: wanted)
      var count = wanted
      if needed > available {
        count = min(wanted, rate.pointee.outputFramesAvailable(from: available))
        needed = count > 0 ? rate.pointee.inputFramesNeeded(for: count) : 0
      }
      if count <= 0 {
        // Not enough for one frame: the input waits.
        gather(source, &taken, upTo: available)
        break
      }
      gather(source, &taken, upTo: needed)
      emit(count, at: &made, into: room)
    }
    return (taken, made)
  }

  /// [render thread] This many frames, with silence after the input.
  func drain(_ frames: Int, into room: FrameRoom) -> Int {
    var made = 0
    while made < frames {
      let count = dropped > 0 ? min(dropped, passFrames) : min(passFrames, frames - made)
      let needed = rate.pointee.inputFramesNeeded(for: count)
      if needed > held {
        for channel in 0..<gathered.channelCount {
          Samples.clear(gathered.channels[channel] + held, count: needed - held)
        }
        held = needed
      }
      emit(count, at: &made, into: room)
    }
    return made
  }

  /// Decodes source frames after those held, until enough are held.
  private func gather(_ source: FrameSpan, _ taken: inout Int, upTo frames: Int) {
    while held < frames {
      let count = min(passFrames, frames - held)
      let span = FrameSpan(source.buffers, from: source.start + taken, count: count)
      if mixesFirst {
        let mixed = mixer.outputs(of: decode(span), frameCount: count)
        for channel in 0..<gathered.channelCount {
          Samples.copy(mixed[channel], to: gathered.channels[channel] + held, count: count)
        }
      } else {
        reader.read(span, into: gathered.from(held))
      }
      held += count
      taken += count
    }
  }

  /// Converts the held frames, and keeps those that the filter did not read.
  private func emit(_ count: Int, at made: inout Int, into room: FrameRoom) {
    let used = rate.pointee.process(
      input: gathered.readable, inputFrames: held, output: resampled.channels, outputFrames: count)
    held -= used
    if held > 0 {
      for channel in 0..<gathered.channelCount {
        let samples = gathered.channels[channel]
        Samples.move(samples + used, to: samples, count: held)
      }
    }
    if dropped > 0 {
      dropped -= count
      return
    }
    let place = FrameRoom(room.buffers, from: room.start + made, count: count)
    let channels = resampled.readable
    writer.write(
      mixesFirst ? channels : mixer.outputs(of: channels, frameCount: count), to: place,
      dither: dither)
    made += count
  }
}
