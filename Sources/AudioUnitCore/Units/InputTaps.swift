// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The switches and playback rates of a mixer's inputs: the parameters that a pull looks at.
struct InputTaps: BitwiseCopyable {
  let hasSwitch: Bool
  let variesRate: Bool
  private let switchSlot: Int
  private let rateSlot: Int
  /// For how long an input is pulled once it is switched off.
  private let fadingFrames: Int32

  /// [control thread]
  init(_ mixing: Mixing, _ sampleRate: Double) {
    hasSwitch = mixing.switchSlot != nil
    switchSlot = mixing.switchSlot ?? 0
    variesRate = mixing.rateSlot != nil
    rateSlot = mixing.rateSlot ?? 0
    fadingFrames = Int32((mixing.fadeTime * sampleRate).rounded(.up))
  }

  /// [render thread] Forgets the signal.
  @_noLocks
  func reset(_ inputs: BusTable) {
    for bus in 0..<inputs.count {
      inputs[bus].pointee.fadingFrames = 0
      if let conversion = inputs[bus].pointee.conversion { resetConversion(conversion) }
    }
  }

  /// [render thread] Takes over the switches after parameters were read anew.
  @_noLocks
  func readSwitches(_ inputs: BusTable) {
    guard hasSwitch else { return }
    for bus in 0..<inputs.count {
      let isOn = inputs.store(bus).frozenValue(switchSlot) != 0
      if inputs[bus].pointee.isOn, !isOn { inputs[bus].pointee.fadingFrames = fadingFrames }
      inputs[bus].pointee.isOn = isOn
    }
  }

  /// [render thread] Whether an input that is switched off is pulled all the same: it comes on within
  /// these frames, or fades.
  @_noLocks
  func isStillOpen(
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
    inputs[bus].pointee.fadingFrames = fading - min(Int32(clamping: frames), fading)
    return true
  }

  /// [render thread] How many times as fast as it was recorded an input plays.
  @_noLocks
  func playbackRate(_ inputs: BusTable, _ bus: Int) -> Float {
    variesRate ? inputs.store(bus).value(rateSlot) : 1
  }
}
