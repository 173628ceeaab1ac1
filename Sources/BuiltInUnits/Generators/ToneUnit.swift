// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing
import Synchronization

/// The unit of the tone generator: it prepares periodic noise before a render needs it, and not before
/// it is selected.
///
/// The noise is made on the thread that initialises the unit, or that selects the waveform of an
/// initialised unit, so that renders are the same on every run.
final class ToneUnit: KernelUnit, @unchecked Sendable {
  private typealias Parameter = ToneGenerator.Parameter

  /// The order of the kernel's noise.
  private let noiseOrder = Atomic(PeriodicNoise.standardOrder)

  override func initialize() throws(AudioError) {
    try super.initialize()
    // Another thread may have selected it after the kernel was made.
    let value = try parameter(address(of: .waveform))
    prepareNoise(Parameter.waveform.rawValue, value, value)
  }

  override func allocateResources() throws(AudioError) {
    let order = try parameter(address(of: .noiseOrder))
    noiseOrder.store(Int(saturating: order), ordering: .sequentiallyConsistent)
    try super.allocateResources()
  }

  override func setParameter(
    _ address: ParameterAddress, to value: AudioUnitParameterValue, offset: UInt32
  ) throws(AudioError) {
    prepareNoise(address.id, value, value)
    try super.setParameter(address, to: value, offset: offset)
  }

  override func schedule(
    _ events: UnsafeBufferPointer<AudioUnitParameterEvent>
  ) throws(AudioError) {
    for event in events {
      if event.eventType == .parameterEvent_Ramped {
        let ramp = event.eventValues.ramp
        prepareNoise(event.parameter, ramp.startValue, ramp.endValue)
      } else {
        let value = event.eventValues.immediate.value
        prepareNoise(event.parameter, value, value)
      }
    }
    try super.schedule(events)
  }

  /// [any thread] Called before the values from one to another are set: prepares the noise if one of
  /// them selects it. Inside a render it does not wait: another thread prepares the noise, and the
  /// waveform before continues until then.
  private func prepareNoise(_ id: AudioUnitParameterID, _ start: Float, _ end: Float) {
    // Values that are not numbers select nothing.
    guard id == Parameter.waveform.rawValue, isInitialized,
      max(start, end) >= Self.noise.lowerBound, min(start, end) < Self.noise.upperBound
    else { return }
    let noise = PeriodicNoise.ofOrder(noiseOrder.load(ordering: .sequentiallyConsistent))
    guard !noise.isReady else { return }
    if rt_current().pointee.depth > 0 {
      Notifier.shared.perform { noise.prepare() }
    } else {
      noise.prepare()
    }
  }

  /// The values of the waveforms that need it.
  private static let noise: Range<Float> =
    Float(Waveform.maximumLengthSequence.rawValue)..<Float(Waveform.jitterTest.rawValue)

  private func address(of parameter: Parameter) -> ParameterAddress {
    ParameterAddress(parameter.rawValue, kAudioUnitScope_Global, 0)
  }
}

extension UnitDefinition {
  /// The tone generator.
  static var toneGenerator: Self {
    var definition = Self.generator(ToneGenerator.self)
    definition.makeUnit = { ToneUnit(component: $0, definition: $1) }
    return definition
  }
}
