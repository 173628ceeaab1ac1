// SPDX-License-Identifier: Apache-2.0

// Planning: where pieces end and begin.
extension TimeDomainStretcher {
  /// Frames on each side of an onset that no crossfade touches.
  private static var guardFrames: Int { @_noLocks get { 8 } }

  /// Updates the end of this piece and the beginning of the next from the input available now.
  @_noLocks
  mutating func updatePlan(_ frame: Int) {
    let rate = motion.rate(at: frame)
    let line = inputPosition.value - Double(lead)
    onsets.removeFirst(passedOnsetCount())
    let count = onsets.count(detectedBy: inputPosition.whole)
    if !endsBeforeOnset { adjustEnd(count, line, rate) }
    // The input does not reach further, because the rate fell or onsets made reading run ahead; or
    // it is about to be overwritten, at rates above 14.
    let isAhead =
      start + min(end, done + decisionFrames) + fadeFrames + SimilaritySearch.margin
      > inputPosition.whole
    if isAhead || start + done < inputPosition.whole - reach {
      (end, isPlanned, endsBeforeOnset) = (done + 1, false, false)
    }
    if !isPlanned, canPlan(rate) { plan(count, line, rate) }
  }

  /// Number of onsets that are too far back to be repeated.
  @_noLocks
  private func passedOnsetCount() -> Int {
    var count = 0
    while count < onsets.count, onsets[count].position < start + done - 2 * lead { count += 1 }
    return count
  }

  /// Whether an onset is so late that it is skipped.
  @_noLocks
  private func isSkipped(_ onset: Int, _ line: Double) -> Bool {
    Double(onset) < line - Double(2 * lead)
  }

  // MARK: Onsets

  /// Ends the piece early if an onset would not be played on time, and late if it would end in an
  /// onset.
  @_noLocks
  private mutating func adjustEnd(_ count: Int, _ line: Double, _ rate: Double) {
    let current = start + done
    var last = Int.min / 2
    // The first frame from here on at which the piece may end.
    var first = decisionFrames / 2
    for index in 0..<count {
      let onset = onsets[index].position
      if onset < current {
        last = onset
        continue
      }
      if isSkipped(onset, line) { continue }
      let framesToOnset = onset - current
      let due = (Double(onset) - line) / rate
      if (Double(framesToOnset) - due).magnitude > Double(slack),
        endBefore(onset, line, rate, after: last, first)
      {
        return
      }
      if framesToOnset > end - done + fadeFrames + Self.guardFrames { return }
      first = framesToOnset + Self.guardFrames + 1
      last = onset
      if end - done < first { (end, isPlanned) = (done + first, false) }
    }
  }

  /// Ends the piece before an onset that would be played too early or too late, if that is urgent
  /// and possible. Returns whether nothing else is to be done.
  @_noLocks
  private mutating func endBefore(
    _ onset: Int, _ line: Double, _ rate: Double, after last: Int, _ first: Int
  ) -> Bool {
    let framesToOnset = onset - (start + done)
    let due = (Double(onset) - line) / rate
    let free = fadeFrames + Self.guardFrames
    let distance = Double(free + 2 * tolerance)
    let wait = min(Double(framesToOnset), due)
    guard wait < Double(end - done) + distance else { return false }
    let join = max(first, Int(wait - distance))
    // There is still time to see how the rate changes.
    if join > 2 * decisionFrames { return true }
    let (low, high) = (last + Self.guardFrames + 1, min(onset - free, latest))
    guard join + free <= framesToOnset, low <= high else { return false }
    // An onset that is much too early is moved closer to its time in several steps.
    let furthest = line + rate * Double(join) - Double(pieceFrames)
    let ideal = max(
      Double(onset) - max(due - Double(join), distance), min(furthest, Double(onset) - distance))
    let target = min(max(Int(Elementary.floor(ideal + 0.5)), low), high)
    let shift = onset - target + join - framesToOnset
    guard max(shift, -shift) > slack else { return false }
    (end, endsBeforeOnset, isPlanned, searchStart) = (done + join, true, true, done)
    search.begin(
      natural: start + end,
      from: max(low, target - tolerance), to: min(target + tolerance, high),
      middle: target, breadth: slack / 2)
    return true
  }

  // MARK: The beginning of the next piece

  @_noLocks
  private func canPlan(_ rate: Double) -> Bool {
    if end - done <= decisionFrames { return true }
    // Planning late takes more onsets into account; the rest of the piece suffices for a search at
    // an even pace.
    guard done >= searchDelay else { return false }
    let last = inputPosition.value - Double(lead) + rate * Double(end - done) + offset(rate)
    return last + Double(searchFrames / 2) < Double(latest)
  }

  /// The last position at which a piece may begin: its crossfades are available at any later rate.
  private var latest: Int {
    @_noLocks get { inputPosition.whole - 2 * (fadeFrames + SimilaritySearch.margin) }
  }

  /// Distance of a piece's beginning from the nominal position, which centres the piece on it.
  @_noLocks
  private func offset(_ rate: Double) -> Double {
    let ideal = (rate - 1) * Double(pieceFrames + fadeFrames) / 2
    return min(max(ideal, Double(-pieceFrames) / 3), Double(pieceFrames) / 3)
  }

  /// Starts the search for the next piece: around the nominal position at the crossfade, or, if an
  /// onset is due within the piece, so that the onset is played on time. No onset is repeated or
  /// skipped.
  @_noLocks
  private mutating func plan(_ count: Int, _ nominal: Double, _ rate: Double) {
    let join = start + end
    let line = nominal + rate * Double(end - done)
    let free = fadeFrames + Self.guardFrames
    var middle = line + offset(rate)
    var (breadth, preferred) = (searchFrames / 2, searchFrames / 2)
    var low = Int.min / 2
    var high = latest
    if rate < 1 {
      // The input must reach to the end of a short piece.
      let reach = line + Double(lead) - (1 - rate) * Double(pieceFrames / 4 + 3 * fadeFrames)
      high = min(high, Int(Elementary.floor(reach)) - SimilaritySearch.margin)
    }
    for index in 0..<count {
      let onset = onsets[index].position
      if onset + Self.guardFrames < join {
        low = onset + Self.guardFrames + 1
        continue
      }
      if isSkipped(onset, line) { continue }
      high = min(high, onset - free)
      let due = (Double(onset) - line) / rate
      let length = Double(pieceFrames + 2 * fadeFrames)
      if due > length {
        middle = min(middle, Double(onset - 16 - tolerance) - length)
      } else {
        middle = Double(onset) - max(due, Double(free))
        // Its own time is preferred, but a chord under it must join too.
        (breadth, preferred) = (tolerance, slack / 2)
      }
      break
    }
    low = min(low, high)
    let target = min(max(Int(Elementary.floor(middle + 0.5)), low), high)
    (isPlanned, searchStart) = (true, done)
    search.begin(
      natural: join, from: max(low, target - breadth), to: min(high, target + breadth),
      middle: target, breadth: preferred)
  }
}
