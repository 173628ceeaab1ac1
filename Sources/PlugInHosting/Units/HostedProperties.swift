// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// The rows in which units that host a plug-in differ from others. They are the same for all units of a
/// component.
struct HostedProperties {
  private typealias Row = PropertyRow<KernelUnit>

  private let plugIn: PlugInDescription
  private let shape: HostedShape

  /// The rows for a plug-in.
  static func rows(_ plugIn: PlugInDescription, _ shape: HostedShape) -> [UnitProperty] {
    let made = Self(plugIn: plugIn, shape: shape)
    return Row.rows(
      made.inPlace + made.tail + made.bypass + made.offline + made.channelCounts
        + made.position + made.texts)
  }

  private static let global = [kAudioUnitScope_Global]

  private func has(_ purposes: PlugInParameter.Purpose...) -> Bool {
    plugIn.parameters.contains { purposes.contains($0.purpose) }
  }

  /// Plug-ins never process in place: many give another result then, without saying so.
  private var inPlace: [Row] {
    guard shape.isEffect else { return [] }
    return [
      .value(
        kAudioUnitProperty_InPlaceProcessing, in: Self.global, reading: { _ in 0 as UInt32 })
    ]
  }

  private var tail: [Row] {
    guard plugIn.features.contains(CLAPTerms.tail) else {
      return [.absent(kAudioUnitProperty_TailTime, because: "the plug-in has no such number")]
    }
    return [
      .value(
        kAudioUnitProperty_TailTime, in: Self.global,
        reading: { unit in
          let frames =
            (unit.shared as? HostedRuntime)?.shared.pointee.tail.load(ordering: .relaxed) ?? 0
          return frames < Int(Int32.max)
            ? Double(frames) / unit.outputs[0].format.sampleRate : .infinity
        })
    ]
  }

  /// Texts that only the plug-in knows.
  private var texts: [Row] {
    guard plugIn.parameters.contains(where: \.hasTexts) else { return [] }
    return [
      .exchange(
        kAudioUnitProperty_ParameterStringFromValue, in: Self.global,
        AudioUnitParameterStringFromValue.self
      ) { (unit, address, query) throws(AudioError) in
        var value: Float = 0
        let given: UnsafePointer<AudioUnitParameterValue>? = query.inValue
        if let given {
          value = given.pointee
        } else {
          value = try unit.parameter(
            ParameterAddress(query.inParamID, address.scope, address.element))
        }
        let text = (unit.shared as? HostedRuntime)?.text(of: query.inParamID, value)
        query.__outString = text.map { UnsafeRawPointer(Bridge.current.retainedString($0)) }
      },
      .exchange(
        kAudioUnitProperty_ParameterValueFromString, in: Self.global,
        AudioUnitParameterValueFromString.self
      ) { (unit, _, query) throws(AudioError) in
        guard let text = Bridge.current.string(query.__inString) else {
          throw .invalidPropertyValue.because("expected a CFString")
        }
        guard let value = (unit.shared as? HostedRuntime)?.value(of: query.inParamID, text) else {
          throw .invalidPropertyValue.because(
            "\"\(text)\" is not a value of parameter \(query.inParamID)")
        }
        query.outValue = value
      },
    ]
  }

  /// A plug-in with a control of its own for this fades by itself.
  private var bypass: [Row] {
    has(.enabled, .bypass) || shape.bypassedInputs > 0
      ? [Self.flag(kAudioUnitProperty_BypassEffect, .bypass)] : []
  }

  /// A plug-in that works in another thread does so in step when offline; CLAP plug-ins are told; one in a process of
  /// its own is waited for.
  private var offline: [Row] {
    let isFlag = Self.flag(kAudioUnitProperty_OfflineRender, .offline)
    if has(.offline) || plugIn.features.contains(CLAPTerms.render)
      || plugIn.features.contains("http://lv2plug.in/ns/ext/worker#schedule")
    {
      return [isFlag]
    }
    return [
      isFlag.when(
        { $0.isLoadedOutOfProcess }, otherwise: "it renders the same online and offline")
    ]
  }

  /// The host's beat, tempo and transport.
  private var position: [Row] {
    guard plugIn.usesPosition else { return [] }
    return [
      .value(
        kAudioUnitProperty_HostCallbacks, in: Self.global, HostCallbackInfo.self,
        set: { unit, _, host in (unit.shared as? HostedRuntime)?.shared.pointee.host.store(host) })
    ]
  }

  /// The numbers of channels of the main buses, if there are others.
  private var channelCounts: [Row] {
    guard shape.inputs.count > 1 || shape.outputs.count > 1 else { return [] }
    let main = shape.mainChannels
    return [
      .array(
        kAudioUnitProperty_SupportedNumChannels, in: Self.global, get: { _, _ in [main] })
    ]
  }

  private static func flag(
    _ id: AudioUnitPropertyID, _ flag: HostedRuntime.Flag
  ) -> Row {
    .flag(
      id, in: global,
      get: { unit, _ in (unit.shared as? HostedRuntime)?.isOn(flag) ?? false },
      set: { unit, _, isOn in (unit.shared as? HostedRuntime)?.set(flag, isOn) })
  }
}
