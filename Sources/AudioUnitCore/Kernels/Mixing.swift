// SPDX-License-Identifier: Apache-2.0

/// How a mixer pulls and converts its inputs before its kernel processes them.
@usableFromInline
struct Mixing: Sendable {
  /// Channels that a bus may have, and that a new input has.
  var inputChannels = 1...1024
  var outputChannels = 1...1024
  var newInputChannels = 2
  /// Slots of the parameters that a pull reads.
  var switchSlot: Int?
  var fadeTime = 0.0
  var rateSlot: Int?
  var dopplerShift: DopplerShift?
  var hasSignalHistory = false
  /// Whether a render fails while the first input has no source.
  var needsFirstInput = false
  /// Whether parameters are addressed by channel.
  @usableFromInline var isMatrix = false
  var conversion: InputConversion.Maker?
  var refusal: @Sendable ([Int], [Int]) -> String? = { _, _ in nil }

  @usableFromInline
  init() {}

  @usableFromInline
  init<K: MixerKernel & ~Copyable & SendableMetatype>(
    _ kernel: K.Type, _ conversion: InputConversion.Maker?
  ) {
    inputChannels = K.inputChannels
    outputChannels = K.outputChannels
    newInputChannels = K.newInputChannels
    switchSlot = K.inputSwitch?.slot
    fadeTime = K.fadeTime
    rateSlot = K.playbackRate?.slot
    dopplerShift = K.dopplerShift
    hasSignalHistory = K.hasSignalHistory
    self.conversion = conversion
    refusal = { K.refusal(inputs: $0, outputs: $1) }
  }
}
