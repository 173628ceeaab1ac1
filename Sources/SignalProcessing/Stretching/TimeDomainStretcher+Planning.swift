// SPDX-License-Identifier: Apache-2.0

// Where pieces end and begin.
extension TimeDomainStretcher {
  /// Frames on each side of a hit that no fade touches.
  private static var guardFrames: Int { @_noLocks get { 8 } }

  /// Decides about the end of this piece and the beginning of the next by what is known by now.
  @_noLocks
  mutating func decide(_ frame: Int) {
    let rate = motion.rate(at: frame)
    let line = place.value - Double(lead)
    onsets.removeFirst(passed())
    let count = onsets.count(known: place.whole)
    if !isCut { heedHits(count, line, rate) }
    // The input does not reach further, as the rate fell or hits had reading run ahead; or it is about to be
    // overwritten, at rates above 14.
    let isAhead =
      start + min(end, done + decisionFrames) + fadeFrames + PieceSearch.margin > place.whole
    if isAhead || start + done < place.whole - reach {
      (end, isPlanned, isCut) = (done + 1, false, false)
    }
    if !isPlanned, canPlan(rate) { plan(count, line, rate) }
  }

  /// How many hits lie so far back that nothing would repeat them.
  @_noLocks
  private func passed() -> Int {
    var count = 0
    while count < onsets.count, onsets[count].place < start + done - 2 * lead { count += 1 }
    return count
  }

  /// Whether a hit comes so late that it is left out.
  @_noLocks
  private func isGivenUp(_ hit: Int, _ line: Double) -> Bool {
    Double(hit) < line - Double(2 * lead)
  }

  // MARK: For the sake of hits

  /// Ends the piece early where a hit would not be played when it is due, and late where it would end in
  /// one.
  @_noLocks
  private mutating func heedHits(_ count: Int, _ line: Double, _ rate: Double) {
    let here = start + done
    var last = Int.min / 2
    // The first frame from here on at which the piece may end.
    var first = decisionFrames / 2
    for index in 0..<count {
      let hit = onsets[index].place
      if hit < here {
        last = hit
        continue
      }
      if isGivenUp(hit, line) { continue }
      let heard = hit - here
      let due = (Double(hit) - line) / rate
      if (Double(heard) - due).magnitude > Double(slack),
        cut(hit, line, rate, after: last, first)
      {
        return
      }
      if heard > end - done + fadeFrames + Self.guardFrames { return }
      first = heard + Self.guardFrames + 1
      last = hit
      if end - done < first { (end, isPlanned) = (done + first, false) }
    }
  }

  /// Ends the piece before a hit that would be heard too early or too late, if that is urgent and possible;
  /// whether nothing else is to be done.
  @_noLocks
  private mutating func cut(
    _ hit: Int, _ line: Double, _ rate: Double, after last: Int, _ first: Int
  ) -> Bool {
    let heard = hit - (start + done)
    let due = (Double(hit) - line) / rate
    let free = fadeFrames + Self.guardFrames
    let distance = Double(free + 2 * tolerance)
    let wait = min(Double(heard), due)
    guard wait < Double(end - done) + distance else { return false }
    let join = max(first, Int(wait - distance))
    // There is time to see where the rate goes.
    if join > 2 * decisionFrames { return true }
    let (low, high) = (last + Self.guardFrames + 1, min(hit - free, latest))
    guard join + free <= heard, low <= high else { return false }
    // What is due much later is brought nearer to its time again and again.
    let furthest = line + rate * Double(join) - Double(piece)
    let ideal = max(
      Double(hit) - max(due - Double(join), distance), min(furthest, Double(hit) - distance))
    let target = min(max(Int(Elementary.floor(ideal + 0.5)), low), high)
    let moved = hit - target + join - heard
    guard max(moved, -moved) > slack else { return false }
    (end, isCut, isPlanned, searchStart) = (done + join, true, true, done)
    search.begin(
      natural: start + end,
      from: max(low, target - tolerance), to: min(target + tolerance, high),
      middle: target, breadth: slack / 2)
    return true
  }

  // MARK: Where the next piece begins

  @_noLocks
  private func canPlan(_ rate: Double) -> Bool {
    if end - done <= decisionFrames { return true }
    // The later, the more hits are known; what is left is enough to search at an even pace.
    guard done >= planning else { return false }
    let last = place.value - Double(lead) + rate * Double(end - done) + offset(rate)
    return last + Double(seek / 2) < Double(latest)
  }

  /// The last place where a piece may begin: its fades are there, whatever becomes of the rate.
  private var latest: Int {
    @_noLocks get { place.whole - 2 * (fadeFrames + PieceSearch.margin) }
  }

  /// How far from the line of the rate a piece begins, so that its middle is there.
  @_noLocks
  private func offset(_ rate: Double) -> Double {
    let ideal = (rate - 1) * Double(piece + fadeFrames) / 2
    return min(max(ideal, Double(-piece) / 3), Double(piece) / 3)
  }

  /// Begins to look for the next piece around the line of the rate, where the fade will be; where a hit is due
  /// in the piece, so that it is played when it is due. No hit is repeated or left out.
  @_noLocks
  private mutating func plan(_ count: Int, _ now: Double, _ rate: Double) {
    let join = start + end
    let line = now + rate * Double(end - done)
    let free = fadeFrames + Self.guardFrames
    var middle = line + offset(rate)
    var (breadth, preferred) = (seek / 2, seek / 2)
    var low = Int.min / 2
    var high = latest
    if rate < 1 {
      // The input must reach to the end of a short piece.
      let reach = line + Double(lead) - (1 - rate) * Double(piece / 4 + 3 * fadeFrames)
      high = min(high, Int(Elementary.floor(reach)) - PieceSearch.margin)
    }
    for index in 0..<count {
      let hit = onsets[index].place
      if hit + Self.guardFrames < join {
        low = hit + Self.guardFrames + 1
        continue
      }
      if isGivenUp(hit, line) { continue }
      high = min(high, hit - free)
      let due = (Double(hit) - line) / rate
      let length = Double(piece + 2 * fadeFrames)
      if due > length {
        middle = min(middle, Double(hit - 16 - tolerance) - length)
      } else {
        middle = Double(hit) - max(due, Double(free))
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
