// SPDX-License-Identifier: Apache-2.0

import CKernels

/// A cascade of second-order filters for several channels that changes without clicks.
///
/// Sections that do not change run in direct form, all together (`BiquadKernel`). A section that
/// changes moves to its target within 20 ms, smoothly at both ends, as a state-variable filter
/// whose coefficients are computed for every frame; the state is converted between the two forms. A
/// section that follows a ramp moves linearly to each point of it. All is computed in double
/// precision: the output differs by less than -150 dB from that of an exact cascade, even for 20 Hz
/// at 192 kHz.
///
/// A pointer to its own memory, so that render code counts no references; the owner deallocates it.
/// Write samples to `samples`, call `run`, and read the result from there.
public struct FilterCascade: BitwiseCopyable, @unchecked Sendable {
  /// Maximum frames of one run.
  public static var maximumFrames: Int { @_noLocks get { 512 } }
  /// Duration of a change in seconds.
  private static var moveTime: Double { @_noLocks get { 0.02 } }

  private struct Stage: BitwiseCopyable {
    var target = FilterSection.flat
    var motion = SectionMotion()
    /// Frames of the motion, and how many of them remain; zero when the section does not move.
    var length = 1
    var remaining = 0

    /// Progress of the motion from 0 to 1.
    var progress: Double { @_noLocks get { 1 - Double(remaining) / Double(length) } }
  }

  private struct Memory: BitwiseCopyable {
    let owner: OwnedMemory
    let sectionCount: Int
    let channelCount: Int
    let moveFrames: Int
    let stages: UnsafeMutablePointer<Stage>
    /// By section and channel; out of date while the section is in the lanes.
    let states: UnsafeMutablePointer<BiquadState>
    let samples: UnsafeMutablePointer<Double>
    /// By group of sections and pair of channels.
    let lanes: UnsafeMutablePointer<BiquadLanes>
    /// The section in each lane.
    let loadedSections: UnsafeMutablePointer<Int>
    var loadedCount = 0
    var areLanesLoaded = false
    var movingCount = 0
    var isFresh = true
    var gain = GainMotion()
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// [control thread] Allocates flat sections.
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
        loadedSections: owner.array(sectionCount, of: 0)))
    return Self(memory: memory)
  }

  /// [control thread] Frees the memory.
  public func deallocate() {
    // The owner is stored in the memory that it frees.
    let owner = memory.pointee.owner
    owner.deallocate()
  }

  /// [render thread] Clears the signal history; all motions end, and changes before the next run
  /// apply immediately.
  @_noLocks
  public func reset() {
    let sections = memory.pointee.sectionCount
    for index in 0..<sections {
      memory.pointee.stages[index].remaining = 0
      memory.pointee.stages[index].motion.isRunning = false
    }
    let states = memory.pointee.states
    for index in 0..<sections * memory.pointee.channelCount { states[index] = BiquadState() }
    memory.pointee.areLanesLoaded = false
    memory.pointee.movingCount = 0
    memory.pointee.gain.settle()
    memory.pointee.isFresh = true
  }

  /// [render thread] Moves a section to another filter.
  @_noLocks
  public func set(_ index: Int, to section: FilterSection) {
    let stage = memory.pointee.stages + index
    if stage.pointee.target == section { return }
    if memory.pointee.isFresh { return begin(index, at: section) }
    let speed =
      stage.pointee.remaining > 0
      ? stage.pointee.motion.speed(at: stage.pointee.progress) * Double(memory.pointee.moveFrames)
        / Double(stage.pointee.length) : .zero
    let (from, to) = startMotion(index, to: section)
    stage.pointee.motion = SectionMotion(from: from, speed: speed, to: to)
    stage.pointee.length = memory.pointee.moveFrames
    stage.pointee.remaining = memory.pointee.moveFrames
  }

  /// [render thread] Whether nothing has been processed yet, so that changes apply immediately.
  public var isFresh: Bool { @_noLocks get { memory.pointee.isFresh } }

  /// [render thread] Sets a section immediately if nothing has been processed yet; otherwise does
  /// nothing.
  @_noLocks
  public func begin(_ index: Int, at section: FilterSection) {
    guard memory.pointee.isFresh else { return }
    unloadLanes()
    memory.pointee.stages[index].target = section
  }

  /// [render thread] Moves a section linearly to another filter within `frames`, at least one, to
  /// follow a ramp.
  @_noLocks
  public func follow(_ index: Int, to section: FilterSection, within frames: Int) {
    let stage = memory.pointee.stages + index
    if stage.pointee.target == section, stage.pointee.remaining == 0 { return }
    let (from, to) = startMotion(index, to: section)
    stage.pointee.motion = SectionMotion(straightFrom: from, to: to)
    stage.pointee.length = frames
    stage.pointee.remaining = frames
  }

  /// Starts the motion of a section; returns its first and its last filter.
  @_noLocks
  private func startMotion(_ index: Int, to section: FilterSection) -> (
    from: FilterSection, to: FilterSection
  ) {
    unloadLanes()
    let stage = memory.pointee.stages + index
    var from = stage.pointee.target
    if stage.pointee.motion.isRunning {
      from = stage.pointee.motion.section(at: stage.pointee.progress)
    } else {
      memory.pointee.movingCount += 1
      // A flat section has no frequency of its own and no history: it starts at the new frequency.
      if from.isFlat { (from.pitch, from.damping) = (section.pitch, section.damping) }
      convertToStateVariable(index)
    }
    stage.pointee.target = section
    var end = section
    if end.isFlat { (end.pitch, end.damping) = (from.pitch, from.damping) }
    return (from, end)
  }

  /// [render thread] Sets the gain of the output.
  @_noLocks
  public func setGain(_ gain: Double) {
    memory.pointee.gain.set(
      gain, within: memory.pointee.isFresh ? 0 : memory.pointee.moveFrames)
  }

  /// [render thread] Moves the gain linearly within `frames`, to follow a ramp. `first` is the
  /// initial gain if nothing has been processed yet.
  @_noLocks
  public func followGain(from first: Double, to gain: Double, within frames: Int) {
    if memory.pointee.isFresh { memory.pointee.gain.set(first, within: 0) }
    memory.pointee.gain.follow(gain, within: frames)
  }

  /// [render thread] The buffer of a channel: room for `maximumFrames`.
  @_noLocks
  public func samples(_ channel: Int) -> UnsafeMutablePointer<Double> {
    memory.pointee.samples + channel * Self.maximumFrames
  }

  /// [render thread] Filters the first `frames` of the samples of every channel, in progress.
  @_noLocks
  public func run(_ frames: Int) {
    memory.pointee.isFresh = false
    var done = 0
    while done < frames {
      if memory.pointee.movingCount > 0 { finishMotions() }
      let runFrames = framesToNextMotionEnd(atMost: frames - done)
      if memory.pointee.movingCount > 0 {
        for index in 0..<memory.pointee.sectionCount
        where memory.pointee.stages[index].remaining > 0 {
          runMoving(index, at: done, runFrames)
        }
      }
      if !memory.pointee.areLanesLoaded { loadLanes() }
      runLanes(at: done, runFrames)
      done += runFrames
    }
    for channel in 0..<memory.pointee.channelCount {
      memory.pointee.gain.apply(samples(channel), frames)
    }
    memory.pointee.gain.advance(frames)
  }

  // MARK: Sections that move

  /// Frames until the next section reaches its target.
  @_noLocks
  private func framesToNextMotionEnd(atMost frames: Int) -> Int {
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
      let form = StateVariableForm(stage.pointee.motion.section(at: stage.pointee.progress))
      var sample = samples + frame
      for channel in 0..<channelCount {
        sample.pointee = form.process(sample.pointee, &states[channel])
        sample += Self.maximumFrames
      }
    }
  }

  /// Returns the sections that have reached their targets to the lanes.
  @_noLocks
  private func finishMotions() {
    for index in 0..<memory.pointee.sectionCount {
      let stage = memory.pointee.stages + index
      guard stage.pointee.remaining == 0, stage.pointee.motion.isRunning else { continue }
      stage.pointee.motion.isRunning = false
      memory.pointee.movingCount -= 1
      unloadLanes()
      let states = memory.pointee.states + index * memory.pointee.channelCount
      let form = StateVariableForm(stage.pointee.target)
      for channel in 0..<memory.pointee.channelCount {
        states[channel] = form.directState(of: states[channel], stage.pointee.target.biquad)
      }
    }
  }

  /// Converts the state of a section that begins to move.
  @_noLocks
  private func convertToStateVariable(_ index: Int) {
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
    while first < memory.pointee.loadedCount {
      let count = min(memory.pointee.loadedCount - first, capacity)
      for pair in 0..<pairs {
        let left = samples(2 * pair) + start
        let right = 2 * pair + 1 < channelCount ? samples(2 * pair + 1) + start : left
        kernel_biquads(
          left, right, frames, memory.pointee.lanes + (group * pairs + pair), count,
          kernel_biquad_generation())
      }
      first += count
      group += 1
    }
  }

  /// Copies the states of all sections out of the lanes.
  @_noLocks
  private func unloadLanes() {
    guard memory.pointee.areLanesLoaded else { return }
    memory.pointee.areLanesLoaded = false
    for slot in 0..<memory.pointee.loadedCount {
      let states =
        memory.pointee.states + memory.pointee.loadedSections[slot] * memory.pointee.channelCount
      for channel in 0..<memory.pointee.channelCount {
        states[channel] = lanes(slot, channel).state(
          slot % BiquadKernel.capacity, channel: channel & 1)
      }
    }
  }

  /// Fills the lanes with the sections that neither move nor are flat.
  @_noLocks
  private func loadLanes() {
    memory.pointee.areLanesLoaded = true
    let channelCount = memory.pointee.channelCount
    var count = 0
    for index in 0..<memory.pointee.sectionCount {
      let stage = memory.pointee.stages[index]
      guard !stage.motion.isRunning, !stage.target.isFlat else { continue }
      memory.pointee.loadedSections[count] = index
      let (biquad, lane) = (stage.target.biquad, count % BiquadKernel.capacity)
      for channel in 0..<channelCount {
        let group = lanes(count, channel)
        if lane == 0, channel & 1 == 0 { group.clear() }
        group.setBiquad(lane, biquad)
        group.setState(
          lane, channel: channel & 1, memory.pointee.states[index * channelCount + channel])
      }
      count += 1
    }
    memory.pointee.loadedCount = count
  }

  @_noLocks
  private func lanes(_ slot: Int, _ channel: Int) -> UnsafeMutablePointer<BiquadLanes> {
    let pairs = (memory.pointee.channelCount + 1) / 2
    return memory.pointee.lanes + (slot / BiquadKernel.capacity * pairs + channel / 2)
  }
}
