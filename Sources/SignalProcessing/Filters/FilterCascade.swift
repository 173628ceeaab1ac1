// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Filters of the second order one after another, for so many channels, that change without a click.
///
/// A section that stays as it is runs in direct form, all such sections at once (`BiquadKernel`). One
/// that changes goes to where it should be within 20 ms, with a smooth beginning and end, as a
/// state-variable filter whose coefficients are computed for every frame; that form takes its state over
/// from the other and gives it back. One that follows a ramp moves in a straight line to each point of
/// it. All of it is in double precision: the output differs by less than -150 dB from an exact
/// cascade's, also for 20 Hz at 192 kHz.
///
/// A pointer to memory of its own, so that render code counts no references; its owner
/// deallocates it. Samples are written to `samples`, run, and read from there.
public struct FilterCascade: BitwiseCopyable, @unchecked Sendable {
  /// The most frames of one run.
  public static var maximumFrames: Int { @_noLocks get { 512 } }
  /// Seconds that a change takes.
  private static var moveTime: Double { @_noLocks get { 0.02 } }

  private struct Stage: BitwiseCopyable {
    var target = FilterSection.flat
    var motion = SectionMotion()
    /// Frames of its way, and how many of them are left; zero when it stays as it is.
    var length = 1
    var remaining = 0

    /// How far on its way it is, from 0 to 1.
    var place: Double { @_noLocks get { 1 - Double(remaining) / Double(length) } }
  }

  private struct Memory: BitwiseCopyable {
    let owner: OwnedMemory
    let sectionCount: Int
    let channelCount: Int
    let moveFrames: Int
    let stages: UnsafeMutablePointer<Stage>
    /// By section and channel, unless the section is in the lanes.
    let states: UnsafeMutablePointer<BiquadState>
    let samples: UnsafeMutablePointer<Double>
    /// By group of sections and pair of channels.
    let lanes: UnsafeMutablePointer<BiquadLanes>
    /// Which section each lane has.
    let members: UnsafeMutablePointer<Int>
    var memberCount = 0
    var areLanesRight = false
    var movingCount = 0
    var isFresh = true
    var gain = GainMotion()
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// [control thread] Memory for sections that all are flat.
  public static func allocate(sectionCount: Int, channelCount: Int, sampleRate: Double) -> Self {
    let groups = (sectionCount + BiquadKernel.capacity - 1) / BiquadKernel.capacity
    let pairs = (channelCount + 1) / 2
    let owner = OwnedMemory()
    let memory = owner.array(
      1,
      of: Memory(
        owner: owner, sectionCount: sectionCount, channelCount: channelCount,
        moveFrames: max(Int(moveTime * sampleRate), 1),
        stages: owner.array(sectionCount, of: Stage()),
        states: owner.array(sectionCount * channelCount, of: BiquadState()),
        samples: owner.array(channelCount * maximumFrames, of: 0),
        lanes: owner.array(groups * pairs, of: BiquadLanes()),
        members: owner.array(sectionCount, of: 0)))
    return Self(memory: memory)
  }

  /// [control thread] Frees the memory.
  public func deallocate() {
    // It frees itself: the owner lies within.
    let owner = memory.pointee.owner
    owner.deallocate()
  }

  /// [render thread] Forgets what came in; sections are at once where they should be, and so they are
  /// after what is set before the next run.
  @_noLocks
  public func reset() {
    let sections = memory.pointee.sectionCount
    for index in 0..<sections {
      memory.pointee.stages[index].remaining = 0
      memory.pointee.stages[index].motion.isUnderWay = false
    }
    let states = memory.pointee.states
    for index in 0..<sections * memory.pointee.channelCount { states[index] = BiquadState() }
    memory.pointee.areLanesRight = false
    memory.pointee.movingCount = 0
    memory.pointee.gain.settle()
    memory.pointee.isFresh = true
  }

  /// [render thread] Makes a section become another filter.
  @_noLocks
  public func set(_ index: Int, to section: FilterSection) {
    let stage = memory.pointee.stages + index
    if stage.pointee.target == section { return }
    if memory.pointee.isFresh { return begin(index, at: section) }
    let speed =
      stage.pointee.remaining > 0
      ? stage.pointee.motion.speed(at: stage.pointee.place) * Double(memory.pointee.moveFrames)
        / Double(stage.pointee.length) : .zero
    let (from, to) = depart(index, to: section)
    stage.pointee.motion = SectionMotion(from: from, speed: speed, to: to)
    stage.pointee.length = memory.pointee.moveFrames
    stage.pointee.remaining = memory.pointee.moveFrames
  }

  /// [render thread] Whether nothing was heard yet, so that changes need no time.
  public var isFresh: Bool { @_noLocks get { memory.pointee.isFresh } }

  /// [render thread] Makes a section be a filter where nothing was heard yet; does nothing later.
  @_noLocks
  public func begin(_ index: Int, at section: FilterSection) {
    guard memory.pointee.isFresh else { return }
    freeLanes()
    memory.pointee.stages[index].target = section
  }

  /// [render thread] Makes a section become another filter in a straight line of so many frames, one
  /// at least: what a ramp asks for.
  @_noLocks
  public func follow(_ index: Int, to section: FilterSection, within frames: Int) {
    let stage = memory.pointee.stages + index
    if stage.pointee.target == section, stage.pointee.remaining == 0 { return }
    let (from, to) = depart(index, to: section)
    stage.pointee.motion = SectionMotion(straightFrom: from, to: to)
    stage.pointee.length = frames
    stage.pointee.remaining = frames
  }

  /// Makes a section move from now on, and says between which filters.
  @_noLocks
  private func depart(_ index: Int, to section: FilterSection) -> (
    from: FilterSection, to: FilterSection
  ) {
    freeLanes()
    let stage = memory.pointee.stages + index
    var from = stage.pointee.target
    if stage.pointee.motion.isUnderWay {
      from = stage.pointee.motion.section(at: stage.pointee.place)
    } else {
      memory.pointee.movingCount += 1
      // A flat section has no pitch of its own, and no past: it opens where it will be.
      if from.isFlat { (from.pitch, from.damping) = (section.pitch, section.damping) }
      takeApart(index)
    }
    stage.pointee.target = section
    var goal = section
    if goal.isFlat { (goal.pitch, goal.damping) = (from.pitch, from.damping) }
    return (from, goal)
  }

  /// [render thread] Makes the output be multiplied by a gain.
  @_noLocks
  public func setGain(_ gain: Double) {
    memory.pointee.gain.set(
      gain, within: memory.pointee.isFresh ? 0 : memory.pointee.moveFrames)
  }

  /// [render thread] Makes the gain follow a ramp: another one after so many frames, in a straight
  /// line. `first` is where it begins when nothing was heard yet.
  @_noLocks
  public func followGain(from first: Double, to gain: Double, within frames: Int) {
    if memory.pointee.isFresh { memory.pointee.gain.set(first, within: 0) }
    memory.pointee.gain.follow(gain, within: frames)
  }

  /// [render thread] The samples of a channel: room for `maximumFrames`.
  @_noLocks
  public func samples(_ channel: Int) -> UnsafeMutablePointer<Double> {
    memory.pointee.samples + channel * Self.maximumFrames
  }

  /// [render thread] Filters the first `frames` of the samples of every channel, in place.
  @_noLocks
  public func run(_ frames: Int) {
    memory.pointee.isFresh = false
    var done = 0
    while done < frames {
      if memory.pointee.movingCount > 0 { arrive() }
      let piece = framesToNextArrival(atMost: frames - done)
      if memory.pointee.movingCount > 0 {
        for index in 0..<memory.pointee.sectionCount
        where memory.pointee.stages[index].remaining > 0 {
          runMoving(index, at: done, piece)
        }
      }
      if !memory.pointee.areLanesRight { fillLanes() }
      runLanes(at: done, piece)
      done += piece
    }
    for channel in 0..<memory.pointee.channelCount {
      memory.pointee.gain.apply(samples(channel), frames)
    }
    memory.pointee.gain.advance(frames)
  }

  // MARK: Sections that move

  /// How many frames can be run before a section is where it should be.
  @_noLocks
  private func framesToNextArrival(atMost frames: Int) -> Int {
    guard memory.pointee.movingCount > 0 else { return frames }
    var least = frames
    for index in 0..<memory.pointee.sectionCount {
      let remaining = memory.pointee.stages[index].remaining
      if remaining > 0, remaining < least { least = remaining }
    }
    return least
  }

  @_noLocks
  private func runMoving(_ index: Int, at start: Int, _ frames: Int) {
    let stage = memory.pointee.stages + index
    let channelCount = memory.pointee.channelCount
    let states = memory.pointee.states + index * channelCount
    let samples = memory.pointee.samples + start
    for frame in 0..<frames {
      stage.pointee.remaining -= 1
      let form = StateVariableForm(stage.pointee.motion.section(at: stage.pointee.place))
      var sample = samples + frame
      for channel in 0..<channelCount {
        sample.pointee = form.process(sample.pointee, &states[channel])
        sample += Self.maximumFrames
      }
    }
  }

  /// Gives the lanes the sections that have arrived and were not sent on since.
  @_noLocks
  private func arrive() {
    for index in 0..<memory.pointee.sectionCount {
      let stage = memory.pointee.stages + index
      guard stage.pointee.remaining == 0, stage.pointee.motion.isUnderWay else { continue }
      stage.pointee.motion.isUnderWay = false
      memory.pointee.movingCount -= 1
      freeLanes()
      let states = memory.pointee.states + index * memory.pointee.channelCount
      let form = StateVariableForm(stage.pointee.target)
      for channel in 0..<memory.pointee.channelCount {
        states[channel] = form.directState(of: states[channel], stage.pointee.target.biquad)
      }
    }
  }

  /// Turns the state of a section that will move from now on.
  @_noLocks
  private func takeApart(_ index: Int) {
    let target = memory.pointee.stages[index].target
    let states = memory.pointee.states + index * memory.pointee.channelCount
    let form = StateVariableForm(target)
    for channel in 0..<memory.pointee.channelCount {
      states[channel] =
        target.isFlat ? BiquadState() : form.state(ofDirect: states[channel], target.biquad)
    }
  }

  // MARK: Sections that stay

  @_noLocks
  private func runLanes(at start: Int, _ frames: Int) {
    let capacity = BiquadKernel.capacity
    let channelCount = memory.pointee.channelCount
    let pairs = (channelCount + 1) / 2
    var first = 0
    var group = 0
    while first < memory.pointee.memberCount {
      let count = min(memory.pointee.memberCount - first, capacity)
      for pair in 0..<pairs {
        let left = samples(2 * pair) + start
        let right = 2 * pair + 1 < channelCount ? samples(2 * pair + 1) + start : left
        BiquadKernel.run(
          left, right, count: frames, memory.pointee.lanes + (group * pairs + pair),
          sections: count)
      }
      first += count
      group += 1
    }
  }

  /// Takes the states of all sections out of the lanes.
  @_noLocks
  private func freeLanes() {
    guard memory.pointee.areLanesRight else { return }
    memory.pointee.areLanesRight = false
    for member in 0..<memory.pointee.memberCount {
      let states =
        memory.pointee.states + memory.pointee.members[member] * memory.pointee.channelCount
      for channel in 0..<memory.pointee.channelCount {
        states[channel] = lanes(member, channel).state(
          member % BiquadKernel.capacity, channel: channel & 1)
      }
    }
  }

  /// Lays out the sections that neither move nor are flat.
  @_noLocks
  private func fillLanes() {
    memory.pointee.areLanesRight = true
    let channelCount = memory.pointee.channelCount
    var count = 0
    for index in 0..<memory.pointee.sectionCount {
      let stage = memory.pointee.stages[index]
      guard !stage.motion.isUnderWay, !stage.target.isFlat else { continue }
      memory.pointee.members[count] = index
      let (biquad, lane) = (stage.target.biquad, count % BiquadKernel.capacity)
      for channel in 0..<channelCount {
        let place = lanes(count, channel)
        if lane == 0, channel & 1 == 0 { place.clear() }
        place.setBiquad(lane, biquad)
        place.setState(
          lane, channel: channel & 1, memory.pointee.states[index * channelCount + channel])
      }
      count += 1
    }
    memory.pointee.memberCount = count
  }

  @_noLocks
  private func lanes(_ member: Int, _ channel: Int) -> UnsafeMutablePointer<BiquadLanes> {
    let pairs = (memory.pointee.channelCount + 1) / 2
    return memory.pointee.lanes + (member / BiquadKernel.capacity * pairs + channel / 2)
  }
}
