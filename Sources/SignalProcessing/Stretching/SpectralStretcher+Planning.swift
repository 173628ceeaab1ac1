// SPDX-License-Identifier: Apache-2.0

// Where frames read: once a hop.
extension SpectralStretcher {
  /// Hands on what is finished, and moves the sums of frames closer.
  @_noLocks
  mutating func deliver(_ frames: Int) {
    reader.makeRoom()
    for channel in 0..<channelCount {
      let line = sums + channel * sumStride
      Samples.copy(line, to: reader.room(channel), count: frames)
      if mixedFrames > 0 {
        let room = reader.room(channel)
        for frame in 0..<frames where weights[frame] > 0.1 { room[frame] /= weights[frame] }
      }
      Samples.move(line + frames, to: line, count: size - frames)
      Samples.clear(line + (size - frames), count: frames)
    }
    reader.append(frames)
    guard mixedFrames > 0 else { return }
    Samples.move(weights + frames, to: weights, count: size - frames)
    Samples.clear(weights + (size - frames), count: frames)
    mixedFrames -= frames
  }

  /// Takes over another mode. What its windows and those before add up to is counted until the last of the
  /// old ones is heard.
  @_noLocks
  mutating func changeMode() {
    let next = FrameMode(options)
    guard next != mode else { return }
    if mixedFrames <= 0 { Samples.copy(modes.weightSoFar(mode), to: weights, count: size) }
    mixedFrames = 2 * size
    mode = next
    work.wasOtherMode = true
  }

  /// Decides where the next frame reads, and what work it is.
  ///
  /// Near a hit reading runs at rate 1 through it, so that the frames that hold it are copies in place;
  /// elsewhere it stays on its side of the hit until the line of the rate passes it.
  @_noLocks
  mutating func plan(rate: Double, pitch: Double) {
    let hop = mode.hop(size)
    let known = place.whole
    // With shorter hops the output is heard earlier, and the input read earlier.
    let nominal = place.value - Double(lead) - Double(self.hop - hop) * rate / pitch
    let slope = isFirst ? rate / pitch : max((nominal - lastNominal) / Double(hop), 1e-3)
    (lastNominal, isFirst) = (nominal, false)
    let time = time + hop
    let last = readPlace
    readPlace = Int(Elementary.floor(nominal + 0.5))
    work.begin(onset: nil)
    (work.known, work.options) = (known, options)
    if options.keepsTransients, slope < 4, slope > 0.05 {
      passOnsets(known: known, nominal: nominal, slope: slope, time: time)
    } else {
      onsets.removeFirst(onsets.count(known: known))
    }
    readPlace = min(readPlace, known - size / 2)
    readPlace = max(readPlace, known - 5 * size)
    let isNext = readPlace - hop == last && !work.wasOtherMode
    work.wasOtherMode = false
    let isFirstOfHit = (work.onset ?? onsets.keptPlace) != onsets.keptPlace
    work.lay(
      channels: channelCount, steps: transform.stepCount, needsEarlier: !isNext || isFirstOfHit,
      movesPitch: pitch != 1 && options.keepsFormants, classifies: isFirstOfHit)
    work.pitch = pitch
    work.binCount =
      pitch > 1 ? min(count, Int(Double(count) * 0.97 / pitch)) : count
    if let onset = work.onset { cutWindow(at: onset - (readPlace - size / 2)) }
    self.time = time
  }

  /// Predicts when hits are heard, and reads through the one that is near in place.
  @_noLocks
  private mutating func passOnsets(known: Int, nominal: Double, slope: Double, time: Int) {
    let half = mode.half(size)
    let usable = onsets.count(known: known)
    var nearest: Int?
    var distance = Double.infinity
    for index in 0..<usable {
      var onset = onsets[index]
      // A prediction is final once reading in place began.
      if Double(time) - (onset.time ?? .infinity) < Double(-half) {
        onset.time = Double(time) + (Double(onset.place) - nominal) / slope
        onsets[index] = onset
      }
      let away = abs(Double(time) - (onset.time ?? 0))
      if away < distance { (distance, nearest) = (away, index) }
    }
    if let nearest {
      let onset = onsets[nearest]
      let heard = Int(Elementary.floor((onset.time ?? 0) + 0.5))
      // A frame that would reach beyond what is known hears nothing of the hit.
      let isThere = onset.place + (time - heard) + size / 2 <= known
      if abs(time - heard) < half, isThere {
        readPlace = onset.place + (time - heard)
        work.begin(onset: onset.place)
      } else if time < heard {
        readPlace = min(readPlace, onset.place - half)
      } else {
        readPlace = max(readPlace, onset.place + half)
      }
    }
    var passed = 0
    while passed < usable, let heard = onsets[passed].time,
      Double(time) > heard + Double(half), nominal > Double(onsets[passed].place + half)
    {
      passed += 1
    }
    onsets.removeFirst(passed)
  }

  /// Cuts the window at a hit, with a fade of sixteen frames: what lies before it.
  @_noLocks
  private func cutWindow(at place: Int) {
    let end = min(max(place, 0), size)
    let window = modes.analysis(mode)
    let kept = max(end - 16, 0)
    for parity in 0..<2 {
      let line = cutWindow + parity * count
      let whole = (kept + 1 - parity) / 2
      Samples.copy(window + parity * count, to: line, count: whole)
      Samples.clear(line + whole, count: count - whole)
    }
    for frame in kept..<end {
      let parted = (frame & 1) * count + frame / 2
      let fade = Float(1 + Elementary.sine(quarters: 1 - Double(frame - end + 16) / 8)) * 0.5
      cutWindow[parted] = window[parted] * fade
    }
  }
}
