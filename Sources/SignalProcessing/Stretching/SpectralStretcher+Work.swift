// SPDX-License-Identifier: Apache-2.0

// The work of a frame: its spectra, its phases, and the sound of it.
extension SpectralStretcher {
  /// Does the work of the frame up to a share of it.
  @_noLocks
  mutating func runWork(upTo share: Double) {
    let due = Int(share * Double(work.total) + 0.999)
    while work.done < min(due, work.total) { runUnit() }
  }

  /// Does all of the frame's work that reads the input.
  @_noLocks
  mutating func runReading() {
    while work.done < work.readingCount { runUnit() }
  }

  @_noLocks
  private mutating func runUnit() {
    let (stage, unit) = work.next()
    let steps = transform.stepCount
    switch stage {
    case .spectrum:
      forward(unit % steps, unit / steps, at: readPlace, modes.analysis(mode), frame)
    case .earlier:
      let place = readPlace - mode.hop(size)
      forward(unit % steps, unit / steps, at: place, modes.analysis(mode), earlier)
    case .before:
      forward(unit % steps, unit / steps, at: readPlace, UnsafePointer(cutWindow), before)
    case .classifying: measureAround(unit)
    case .deciding: decideWhatGoesOn(unit)
    case .products: multiply(unit)
    case .peaks: findPeaks(unit)
    case .regions: turnRegions(unit)
    case .tones:
      tones.advance(
        unit, of: FrameWork.toneUnits, at: readPlace, frame, before: before, keep: onsets.keep)
    case .formants: envelope.follow(power, pitch: work.pitch)
    case .output: makeOutput(unit % (steps + 1), unit / (steps + 1))
    case .nothing: break
    }
  }

  @_noLocks
  private func forward(
    _ step: Int, _ channel: Int, at place: Int, _ window: UnsafePointer<Float>,
    _ spectra: StretchSpectra
  ) {
    transform.forward(
      step, input.at(place - size / 2, channel), window: window, spectra[channel].real,
      spectra[channel].imaginary)
  }

  /// Power of the frame, and the products of the last output with the input one hop earlier: their phase is
  /// how far the frame must be turned to continue the output.
  @_noLocks
  private func multiply(_ channel: Int) {
    let x = work.onset != nil ? before : frame
    StretchKernel.products(
      power, products.real, products.imaginary, x: x[channel], y: output[channel],
      b: earlier[channel], count: count, isFirst: channel == 0)
    (power[count], power[count + 1]) = (0, 0)
  }

  @_noLocks
  private mutating func findPeaks(_ unit: Int) {
    let units = FrameWork.peakUnits
    if unit == 0 { (peakCount, regionEnd) = (0, 0) }
    peakCount += StretchKernel.peaks(
      peaks + peakCount, power, max(2, count * unit / units)..<count * (unit + 1) / units)
  }

  @_noLocks
  private mutating func turnRegions(_ unit: Int) {
    guard work.options.locksPeaks else {
      if unit == 0 { StretchKernel.turns(turn, products, count: count) }
      return
    }
    let units = FrameWork.regionUnits
    if peakCount == 0 {
      guard unit == 0 else { return }
      for bin in 0..<count { (turn.real[bin], turn.imaginary[bin]) = (1, 0) }
    }
    regionEnd = StretchKernel.regions(
      turn, power, products, peaks, peakCount: peakCount,
      peakCount * unit / units..<peakCount * (unit + 1) / units, start: regionEnd, count: count)
  }

  /// A step of a channel's sound: the first turns it, the others transform it back.
  @_noLocks
  private func makeOutput(_ step: Int, _ channel: Int) {
    let y = output[channel]
    guard step == 0 else {
      let target = sums + channel * sumStride
      transform.inverse(
        step - 1, y.real, y.imaginary, window: modes.synthesis(mode), adding: target)
      if step == transform.stepCount, channel == 0, mixedFrames > 0 {
        let weight = modes.weight(mode)
        for frame in 0..<size { weights[frame] += weight[frame] }
      }
      return
    }
    if work.onset != nil {
      StretchKernel.turnBefore(
        y, frame[channel], before: before[channel], keep: onsets.keep, by: turn, count: count)
    } else {
      StretchKernel.turn(y, frame[channel], by: turn, count: count)
    }
    if work.shapes { envelope.shape(y) }
    let rest = count - work.binCount
    Samples.clear(y.real + work.binCount, count: rest + 8)
    Samples.clear(y.imaginary + work.binCount, count: rest + 8)
    y.imaginary[0] = 0
  }

  // MARK: Hits

  /// Adds a channel's power before the hit, or from it on, in short spectra.
  @_noLocks
  private func measureAround(_ unit: Int) {
    guard let onset = work.onset else { return }
    let size = smallTransform.size
    let (channel, isAfter) = (unit / 2, unit & 1)
    let real = powers + size
    let window = powers + 3 * size
    if unit == 0 { Samples.clear(powers, count: size) }
    let place = isAfter == 1 ? onset : onset - 16 - size
    guard place + size <= work.known else { return }
    for step in 0..<smallTransform.stepCount {
      smallTransform.forward(
        step, input.at(place, channel), window: window, real, real + size / 2 + 8)
    }
    let sums = powers + isAfter * (size / 2)
    for bin in 0..<size / 2 {
      let (r, i) = (real[bin], real[size / 2 + 8 + bin])
      sums[bin] += r * r + i * i
    }
  }

  /// Which bins go on through the hit: those that hardly rise. Narrow lines of the frame before
  /// continue as `SteadyTones` finds; where another hit is in the way, those that are not drowned.
  @_noLocks
  private mutating func decideWhatGoesOn(_ unit: Int) {
    guard let onset = work.onset else { return }
    let units = FrameWork.peakUnits
    onsets.keptPlace = onset
    let isKnown = onset + smallTransform.size <= work.known
    let bins = smallTransform.size / 2
    let ratio = size / smallTransform.size
    let keep = onsets.keep
    for bin in count * unit / units..<count * (unit + 1) / units {
      let small = min((bin + ratio / 2) / ratio, bins - 1)
      keep[bin] = isKnown && powers[bins + small] < 2 * powers[small] ? 1 : 0
    }
    guard unit == units - 1 else { return }
    let (hop, spacing) = (mode.hop(size), mode.spacing)
    tones.begin(at: readPlace - hop, hop: hop, spacing: spacing)
    let isClear = readPlace - hop + mode.half(size) <= onset + 64
    for index in 0..<peakCount {
      let bin = Int(peaks[index])
      let small = (bin + ratio / 2) / ratio
      guard bin >= 8, bin <= count - 8, small < bins, isNarrow(bin, spacing) else { continue }
      let rise = isKnown ? powers[bins + small] / (powers[small] + 1e-30) : .infinity
      if rise >= 2, isClear {
        tones.add(bin, earlier)
      } else if rise < 16 {
        for near in bin - 3 * spacing...bin + 3 * spacing { keep[near] = 1 }
      }
    }
  }

  /// Whether the power falls by 16 dB on both sides of a peak, as beside a single tone.
  @_noLocks
  private func isNarrow(_ bin: Int, _ spacing: Int) -> Bool {
    var (below, above) = (power[bin], power[bin])
    for away in 2 * spacing...max(4, 3 * spacing) {
      below = min(below, power[bin - away])
      above = min(above, power[bin + away])
    }
    return power[bin] > 40 * max(below, above)
  }
}
