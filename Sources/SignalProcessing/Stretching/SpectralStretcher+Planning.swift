// SPDX-License-Identifier: Apache-2.0

// Planning: where frames are read, once per hop.
extension SpectralStretcher {
  /// Outputs the finished frames, and advances the overlap-add buffers.
  @_noLocks
  mutating func deliver(_ frames: Int) {
    resampler.makeRoom()
    let start = time - mode.shape(size).half
    for channel in 0..<channelCount {
      let line = sums + channel * sumStride + size
      let room = resampler.room(channel)
      Samples.copy(line, to: room, count: frames)
      if mixedFrames > 0 {
        for frame in 0..<frames where weights[frame] > 0.02 { room[frame] /= weights[frame] }
      }
      copies.write(to: room, frames: frames, at: start, input, channel: channel)
      Samples.move(line + frames, to: line, count: size - frames)
      Samples.clear(line + (size - frames), count: frames)
    }
    copies.removeAll(before: start + frames)
    resampler.append(frames)
    guard mixedFrames > 0 else { return }
    Samples.move(weights + frames, to: weights, count: size - frames)
    Samples.clear(weights + (size - frames), count: frames)
    mixedFrames -= frames
  }

  /// Changes to another mode, between two frames. The next frame sounds from the next output on, as
  /// ever, so that latency changes within a few frames: the input skips or repeats some, in phase.
  /// The sum of the windows is tracked until the last frame of the old mode has been output.
  @_noLocks
  mutating func changeMode() {
    let (last, next) = (mode.shape(size), mode.next(to: FrameMode(options.smoothness)))
    lastMode = mode
    work.distance = last.hop
    work.modeChanged = !next.equals(mode)
    guard work.modeChanged else { return }
    if mixedFrames <= 0 { Samples.copy(modes.earlierWeight(mode), to: weights, count: size) }
    mixedFrames = 2 * size
    mode = next
    work.distance += next.shape(size).half - last.half
    isFirst = true
  }

  /// Input frames that the next frame reads after its position. After a change to less latency, the
  /// last frame's window, with which its output is continued, is the one that ends later.
  private var reach: Int {
    @_noLocks get {
      let ahead = mode.shape(size).ahead
      guard work.modeChanged else { return ahead }
      return max(ahead, lastMode.shape(size).ahead - work.distance)
    }
  }

  /// Chooses the read position of the next frame, and prepares its work.
  ///
  /// Near an onset the position advances at rate 1, so that the frames that contain it are
  /// unmodified copies; elsewhere the position stays on its side of the onset until the nominal
  /// position has passed it.
  @_noLocks
  mutating func plan(rate: Double, pitch: Double) {
    let shape = mode.shape(size)
    let available = inputPosition.whole
    let nominal = inputPosition.value - shape.lead(slope: rate / pitch)
    let slope = isFirst ? rate / pitch : max((nominal - lastNominal) / Double(shape.hop), 1e-3)
    (lastNominal, isFirst) = (nominal, false)
    let time = time + work.distance
    let last = readPosition
    readPosition = Int(Elementary.floor(nominal + 0.5))
    work.begin(onset: nil)
    (work.availableFrames, work.options) = (available, options)
    if options.keepsTransients, slope < OnsetCopies.slopes.upperBound, slope > 0.05 {
      passOnsets(available: available, nominal: nominal, slope: slope, time: time)
      // A copy would have to be filtered for a shift upwards.
      if slope > OnsetCopies.slopes.lowerBound, pitch <= 1 { placeCopies(time: time) }
    } else {
      onsets.removeFirst(onsets.count(detectedBy: available))
    }
    readPosition = min(readPosition, available - reach)
    readPosition = max(readPosition, available - 5 * size)
    let isNext = readPosition - shape.hop == last && !work.modeChanged
    let isNewOnset = (work.onset ?? onsets.keepPosition) != onsets.keepPosition
    work.prepare(
      channels: channelCount, steps: transform.stepCount, needsEarlier: !isNext || isNewOnset,
      shapesFormants: pitch != 1 && options.keepsFormants, isNewOnset: isNewOnset)
    work.pitch = pitch
    work.binCount =
      pitch > 1 ? min(count, Int(Double(count) * 0.97 / pitch)) : count
    if let onset = work.onset { makeOnsetWindow(at: onset - start) }
    self.time = time
  }

  /// Predicts the output times of onsets, and reads through the nearest one at rate 1.
  @_noLocks
  private mutating func passOnsets(available: Int, nominal: Double, slope: Double, time: Int) {
    let (ahead, half) = (mode.shape(size).ahead, mode.shape(size).half)
    let usable = onsets.count(detectedBy: available)
    var nearest: Int?
    var distance = Double.infinity
    for index in 0..<usable {
      var onset = onsets[index]
      // A prediction is final once the frames around it are read at rate 1.
      if Double(time) - (onset.outputTime ?? .infinity) < Double(-ahead) {
        onset.outputTime = Double(time) + (Double(onset.position) - nominal) / slope
        onsets[index] = onset
      }
      let separation = abs(Double(time) - (onset.outputTime ?? 0))
      if separation < distance { (distance, nearest) = (separation, index) }
    }
    if let nearest {
      let onset = onsets[nearest]
      let outputTime = Int(Elementary.floor((onset.outputTime ?? 0) + 0.5))
      // A frame that would read beyond the available input is not aligned with the onset.
      let isAvailable = onset.position + (time - outputTime) + reach <= available
      if time - outputTime > -ahead, time - outputTime < half, isAvailable {
        readPosition = onset.position + (time - outputTime)
        work.begin(onset: onset.position)
      } else if time < outputTime {
        readPosition = min(readPosition, onset.position - ahead)
      } else {
        readPosition = max(readPosition, onset.position + half)
      }
    }
    var passed = 0
    while passed < usable, let outputTime = onsets[passed].outputTime,
      Double(time) > outputTime + Double(half), nominal > Double(onsets[passed].position + half)
    {
      passed += 1
    }
    onsets.removeFirst(passed)
  }

  /// Copies the onsets whose output times are final.
  @_noLocks
  private mutating func placeCopies(time: Int) {
    for index in 0..<onsets.count {
      var onset = onsets[index]
      guard let outputTime = onset.outputTime, !onset.isPlaced else { continue }
      guard Double(time) - outputTime >= Double(-mode.shape(size).ahead) else { continue }
      onset.isPlaced = true
      onsets[index] = onset
      copies.add(onset.position, at: Int(Elementary.floor(outputTime + 0.5)))
    }
  }

  /// Makes the window of the signal before an onset, with a fade of sixteen frames.
  @_noLocks
  private func makeOnsetWindow(at position: Int) {
    let end = min(max(position, 0), size)
    let window = modes.analysis(mode)
    let fadeStart = max(end - 16, 0)
    for parity in 0..<2 {
      let line = onsetWindow + parity * count
      let whole = (fadeStart + 1 - parity) / 2
      Samples.copy(window + parity * count, to: line, count: whole)
      Samples.clear(line + whole, count: count - whole)
    }
    for frame in fadeStart..<end {
      let deinterleaved = (frame & 1) * count + frame / 2
      let fade = Float(1 + Elementary.sine(quarters: 1 - Double(frame - end + 16) / 8)) * 0.5
      onsetWindow[deinterleaved] = window[deinterleaved] * fade
    }
  }
}
