// SPDX-License-Identifier: Apache-2.0

import CKernels

// The processing of a frame: its spectra, its phases, and its output.
extension SpectralStretcher {
  /// Does the frame's work up to a share of it.
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
      forward(unit % steps, unit / steps, at: start, modes.analysis(mode), frame)
    case .earlier:
      // As the last frame was read: its output continues.
      let position = readPosition - work.distance + lastMode.shape(size).ahead - size
      forward(unit % steps, unit / steps, at: position, modes.analysis(lastMode), earlier)
    case .before:
      forward(unit % steps, unit / steps, at: start, UnsafePointer(onsetWindow), before)
    case .onsetPowers: measureOnsetPowers(unit)
    case .continuingBins: chooseContinuingBins(unit)
    case .products: multiply(unit)
    case .peaks: findPeaks(unit)
    case .regions: findRotations(unit)
    case .tones:
      tones.advance(
        unit, of: FrameSchedule.toneUnits, at: readPosition, frame, before: before,
        keep: onsets.keep)
    case .formants: envelope.update(power, pitch: work.pitch)
    case .output: makeOutput(unit % (steps + 1), unit / (steps + 1))
    case .end: break
    }
  }

  /// Where the input of the frame starts: transforms end with the frame's window.
  var start: Int { @_noLocks get { readPosition + mode.shape(size).ahead - size } }

  @_noLocks
  private func forward(
    _ step: Int, _ channel: Int, at start: Int, _ window: UnsafePointer<Float>,
    _ spectra: StretchSpectra
  ) {
    transform.forward(
      step, input.at(start, channel), window: window, spectra[channel].real,
      spectra[channel].imaginary)
  }

  /// Computes the power of the frame, and the products of the last output with the input one hop
  /// earlier. Their phase is the rotation with which the frame continues the output.
  @_noLocks
  private func multiply(_ channel: Int) {
    let x = (work.onset != nil ? before : frame)[channel]
    let (y, b) = (output[channel], earlier[channel])
    kernel_stretch_products(
      power, products.real, products.imaginary, x.real, x.imaginary, y.real, y.imaginary, b.real,
      b.imaginary, count, channel == 0 ? 1 : 0)
    (power[count], power[count + 1]) = (0, 0)
  }

  @_noLocks
  private mutating func findPeaks(_ unit: Int) {
    let units = FrameSchedule.peakUnits
    if unit == 0 { (peakCount, regionEnd) = (0, 0) }
    peakCount += kernel_stretch_peaks(
      peaks + peakCount, power, max(2, count * unit / units), count * (unit + 1) / units)
  }

  @_noLocks
  private mutating func findRotations(_ unit: Int) {
    guard work.options.locksPeaks else {
      if unit == 0 {
        kernel_stretch_rotations(
          rotation.real, rotation.imaginary, products.real, products.imaginary, count)
      }
      return
    }
    let units = FrameSchedule.regionUnits
    if peakCount == 0 {
      guard unit == 0 else { return }
      for bin in 0..<count { (rotation.real[bin], rotation.imaginary[bin]) = (1, 0) }
    }
    regionEnd = kernel_stretch_regions(
      rotation.real, rotation.imaginary, power, products.real, products.imaginary, peaks, peakCount,
      peakCount * unit / units, peakCount * (unit + 1) / units, regionEnd, count)
  }

  /// One step of a channel's output: the first rotates the phases, the others transform it back.
  @_noLocks
  private func makeOutput(_ step: Int, _ channel: Int) {
    let y = output[channel]
    guard step == 0 else {
      let shape = mode.shape(size)
      let target = sums + channel * sumStride + shape.ahead + shape.half
      transform.inverse(
        step - 1, y.real, y.imaginary, window: modes.synthesis(mode), adding: target)
      if step == transform.stepCount, channel == 0, mixedFrames > 0 {
        let weight = modes.weight(mode)
        for frame in 0..<2 * mode.shape(size).half { weights[frame] += weight[frame] }
      }
      return
    }
    let (a, b) = (frame[channel], before[channel])
    if work.onset != nil {
      kernel_stretch_rotate_before(
        y.real, y.imaginary, a.real, a.imaginary, b.real, b.imaginary, onsets.keep, rotation.real,
        rotation.imaginary, count)
    } else {
      kernel_stretch_rotate(
        y.real, y.imaginary, a.real, a.imaginary, rotation.real, rotation.imaginary, count)
    }
    if work.needsShaping { envelope.shape(y) }
    let rest = count - work.binCount
    Samples.clear(y.real + work.binCount, count: rest + 8)
    Samples.clear(y.imaginary + work.binCount, count: rest + 8)
    y.imaginary[0] = 0
  }

  // MARK: Onsets

  /// Adds a channel's power before or after the onset, measured with short spectra.
  @_noLocks
  private func measureOnsetPowers(_ unit: Int) {
    guard let onset = work.onset else { return }
    let size = smallTransform.size
    let (channel, isAfter) = (unit / 2, unit & 1)
    let real = powers + size
    let window = powers + 3 * size
    if unit == 0 { Samples.clear(powers, count: size) }
    let position = isAfter == 1 ? onset : onset - 16 - size
    guard position + size <= work.availableFrames else { return }
    for step in 0..<smallTransform.stepCount {
      smallTransform.forward(
        step, input.at(position, channel), window: window, real, real + size / 2 + 8)
    }
    let sums = powers + isAfter * (size / 2)
    for bin in 0..<size / 2 {
      let (r, i) = (real[bin], real[size / 2 + 8 + bin])
      sums[bin] += r * r + i * i
    }
  }

  /// Chooses the bins that continue through the onset: those whose power hardly rises.
  /// `SteadyTones` decides about narrow peaks of the previous frame; if another onset is in the
  /// way, those that are not masked continue.
  @_noLocks
  private mutating func chooseContinuingBins(_ unit: Int) {
    guard let onset = work.onset else { return }
    let units = FrameSchedule.peakUnits
    onsets.keepPosition = onset
    let isAvailable = onset + smallTransform.size <= work.availableFrames
    let bins = smallTransform.size / 2
    let ratio = size / smallTransform.size
    let keep = onsets.keep
    for bin in count * unit / units..<count * (unit + 1) / units {
      let small = min((bin + ratio / 2) / ratio, bins - 1)
      keep[bin] = isAvailable && powers[bins + small] < 2 * powers[small] ? 1 : 0
    }
    guard unit == units - 1 else { return }
    let shape = mode.shape(size)
    tones.begin(
      at: readPosition - shape.hop, hop: shape.hop, neighbour: modes.neighbour(mode))
    let isClear =
      work.distance == shape.hop && lastMode.equals(mode)
      && readPosition - shape.hop + shape.ahead <= onset + 64
    for index in 0..<peakCount {
      let bin = Int(peaks[index])
      let small = (bin + ratio / 2) / ratio
      guard bin >= 8, bin <= count - 8, small < bins, isNarrow(bin) else { continue }
      let rise = isAvailable ? powers[bins + small] / (powers[small] + 1e-30) : .infinity
      if rise >= 2, isClear {
        tones.add(bin, earlier)
      } else if rise < 16 {
        for near in bin - 3...bin + 3 { keep[near] = 1 }
      }
    }
  }

  /// Whether the power falls by 16 dB on both sides of a peak, as for a single tone.
  @_noLocks
  private func isNarrow(_ bin: Int) -> Bool {
    var (below, above) = (power[bin], power[bin])
    for distance in 2...4 {
      below = min(below, power[bin - distance])
      above = min(above, power[bin + distance])
    }
    return power[bin] > 40 * max(below, above)
  }
}
