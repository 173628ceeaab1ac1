// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import SignalProcessing

/// The switches and playback rates of a mixer's inputs, which are the parameters that a pull reads.
struct InputSwitches: BitwiseCopyable {
  let hasSwitch: Bool
  let variesRate: Bool
  private let switchSlot: Int
  private let rateSlot: Int
  private let shift: DopplerShift?
  /// The playback rates of each input during this render, where they are adjustable.
  private let rates: UnsafeMutablePointer<PlaybackRates>
  private let rateCount: Int
  /// How many frames an input is pulled after it is switched off.
  private let fadingFrames: Int32

  /// [control thread] The switches of `inputs` inputs, with their rates in `memory`.
  init(
    _ mixing: Mixing, _ sampleRate: Double, inputs: Int, maximumFrames: Int, in memory: OwnedMemory
  ) {
    hasSwitch = mixing.switchSlot != nil
    switchSlot = mixing.switchSlot ?? 0
    variesRate = mixing.rateSlot != nil
    rateSlot = mixing.rateSlot ?? 0
    fadingFrames = Int32((mixing.fadeTime * sampleRate).rounded(.up))
    shift = mixing.dopplerShift
    rateCount = variesRate ? inputs : 0
    rates = memory.array(
      (0..<rateCount).map { _ in
        PlaybackRates(maximumFrames: maximumFrames, sampleRate: sampleRate, in: memory)
      })
  }

  /// [render thread] Clears the signal history of conversions and playback rates.
  @_noLocks
  func reset(_ inputs: BusTable) {
    for index in 0..<rateCount { rates[index].reset() }
    for bus in 0..<inputs.count {
      inputs[bus].pointee.fadingFrames = 0
      if let conversion = inputs[bus].pointee.conversion { resetConversion(conversion) }
    }
  }

  /// [render thread] Updates the switches after the parameters were read.
  @_noLocks
  func readSwitches(_ inputs: BusTable) {
    guard hasSwitch else { return }
    for bus in 0..<inputs.count {
      let isOn = inputs.store(bus).sliceValue(switchSlot) != 0
      if inputs[bus].pointee.isOn, !isOn { inputs[bus].pointee.fadingFrames = fadingFrames }
      inputs[bus].pointee.isOn = isOn
    }
  }

  /// [render thread] Whether a switched-off input is still pulled: it is switched on within these
  /// frames, or it fades out.
  @_noLocks
  func isStillPulled(
    _ inputs: BusTable, _ bus: Int, _ frames: Int, _ automation: borrowing Automation
  )
    -> Bool
  {
    if !automation.isIdle, automation.changes(inputs.store(bus), switchSlot) {
      inputs[bus].pointee.fadingFrames = fadingFrames
      return true
    }
    let fading = inputs[bus].pointee.fadingFrames
    guard fading > 0 else { return false }
    let isLast = fading <= Int32(clamping: frames)
    inputs[bus].pointee.fadingFrames = isLast ? -fading : fading - Int32(frames)
    if isLast, variesRate { rates[bus].cut(Int(fading)) }
    return true
  }

  /// [render thread] Lays out the playback rates of the inputs for the coming render.
  @_noLocks
  func layOutPlayback(_ inputs: BusTable, _ frames: Int, _ automation: borrowing Automation) {
    for bus in 0..<rateCount {
      let store = inputs.store(bus)
      let isShifted = shift?.isOn(store) ?? false
      if isShifted || automation.changes(store, rateSlot) {
        rates[bus].follow(
          automation, store, rateSlot, isShifted ? shift : nil, frames: frames)
      } else {
        rates[bus].hold(store.sliceValue(rateSlot), frames: frames)
      }
    }
  }

  /// [render thread] The playback rates of the inputs; nil: all inputs play at the recorded rate.
  var playback: UnsafePointer<PlaybackRates>? {
    @_noLocks get { variesRate ? UnsafePointer(rates) : nil }
  }
}
