// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// What stands between a mixer's sources and its kernel: a switch and a conversion for each input.
///
/// Plain memory for the render thread, made when the unit is initialised; whoever made it deallocates
/// it.
struct InputTaps: BitwiseCopyable {
  /// The conversions that it keeps; nil where a source gives what the kernel takes.
  let conversions: UnsafeMutablePointer<Unmanaged<InputConversion>?>
  let hasSwitch: Bool
  let switchSlot: Int
  let variesRate: Bool
  let rateSlot: Int
  private let count: Int
  private let fadeFrames: Int
  /// Frames for which each input is still pulled once it is switched off.
  private let fading: UnsafeMutablePointer<Int>

  /// [control thread]
  init(_ mixing: Mixing, _ conversions: [InputConversion?], _ sampleRate: Double) {
    count = conversions.count
    self.conversions = .allocate(capacity: max(count, 1))
    for (index, conversion) in conversions.enumerated() {
      (self.conversions + index).initialize(to: conversion.map { .passRetained($0) })
    }
    hasSwitch = mixing.switchSlot != nil
    switchSlot = mixing.switchSlot ?? 0
    variesRate = mixing.rateSlot != nil
    rateSlot = mixing.rateSlot ?? 0
    fadeFrames = Int((mixing.fadeTime * sampleRate).rounded(.up))
    fading = .allocate(capacity: max(count, 1))
    fading.initialize(repeating: 0, count: max(count, 1))
  }

  /// [control thread] Frees everything; nothing may use it any more.
  func deallocate() {
    for index in 0..<count { conversions[index]?.release() }
    conversions.deallocate()
    fading.deallocate()
  }

  /// [render thread] Forgets the signal.
  @_noLocks
  func reset() {
    for index in 0..<count {
      fading[index] = 0
      if let conversion = conversions[index] { resetConversion(conversion) }
    }
  }

  /// [render thread] An input that is on; true.
  @_noLocks
  func open(_ bus: Int) -> Bool {
    fading[bus] = fadeFrames
    return true
  }

  /// [render thread] Whether an input that is off still fades while `frames` pass.
  @_noLocks
  func fade(_ bus: Int, _ frames: Int) -> Bool {
    guard fading[bus] > 0 else { return false }
    fading[bus] -= min(frames, fading[bus])
    return true
  }
}
