// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// How the parameters of a matrix mixer are addressed: by channel instead of by element.
///
/// The channels of all buses of a scope are numbered consecutively. All values are in the store of
/// the global element: the master volume, the volumes and switches of the input and of the output
/// channels, the crosspoints row by row, the meters of every input and output channel, and the
/// clipping. On the input and output scopes an element is a channel. On the global scope it is
/// `input << 16 | output`, where 0xFFFF means no channel, so that it can address every volume.
struct ParameterMatrix: BitwiseCopyable, Sendable, Equatable {
  let inputs: Int
  let outputs: Int

  /// The maximum number of crosspoints.
  static var capacity: Int { @_noLocks get { 65_536 } }

  /// Identifiers of the two parameters.
  private static var volume: AudioUnitParameterID { @_noLocks get { 0 } }
  private static var enable: AudioUnitParameterID { @_noLocks get { 1 } }

  /// Meters of one channel: identifiers 1000 to 8000.
  private static var meterCount: Int { @_noLocks get { 8 } }

  /// The index of the first meter.
  private var meters: Int { @_noLocks get { 1 + 2 * (inputs + outputs) + inputs * outputs } }

  /// The slot of a value, or why there is none.
  enum Location: BitwiseCopyable { case slot(Int), noScope, noElement, noParameter }

  /// [any thread] Finds the slot of a parameter.
  @_noLocks
  func locate(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> Location {
    guard scope <= 2 else { return .noScope }
    if id >= 1000, id % 1000 == 0, id / 1000 <= Self.meterCount {
      return meter(Int(id / 1000) - 1, scope, Int(element))
    }
    let isVolume = id == Self.volume
    guard isVolume || id == Self.enable && scope != 0 else { return .noParameter }
    switch scope {
    case 1: return channel(Int(element), inputs, isVolume ? 1 : 1 + inputs)
    case 2:
      let base = 1 + 2 * inputs
      return channel(Int(element), outputs, isVolume ? base : base + outputs)
    default:
      let (input, output) = (Int(element >> 16), Int(element & 0xFFFF))
      if input == 0xFFFF, output == 0xFFFF { return .slot(0) }
      if output == 0xFFFF { return channel(input, inputs, 1) }
      if input == 0xFFFF { return channel(output, outputs, 1 + 2 * inputs) }
      guard input < inputs, output < outputs else { return .noElement }
      return .slot(1 + 2 * (inputs + outputs) + input * outputs + output)
    }
  }

  @_noLocks
  private func channel(_ index: Int, _ count: Int, _ base: Int) -> Location {
    index < count ? .slot(base + index) : .noElement
  }

  @_noLocks
  private func meter(_ number: Int, _ scope: AudioUnitScope, _ channel: Int) -> Location {
    guard scope != 0 else { return .noParameter }
    guard channel < (scope == 1 ? inputs : outputs) else { return .noElement }
    let before = scope == 1 ? channel : inputs + channel
    return .slot(meters + before * Self.meterCount + number)
  }

  /// [control thread] The parameters in the order of their slots. By default all volumes except the
  /// master's are 0, and switches are on.
  func definitions(like own: [ParameterDefinition]) -> [ParameterDefinition] {
    guard let volume = own.first(where: { $0.id == Self.volume }),
      let enable = own.first(where: { $0.id == Self.enable })
    else { return [] }
    var (hidden, master) = (volume.spec, volume.spec)
    hidden.scopes = []
    master.scopes = []
    master.defaultValue = 1
    var on = enable.spec
    on.scopes = []
    func some(_ count: Int, _ spec: ParameterSpec, _ id: AudioUnitParameterID)
      -> [ParameterDefinition]
    { (0..<count).map { _ in ParameterDefinition(id: id, spec: spec) } }
    let clipping = own.filter { $0.role == .clipping }
    let meters = own.filter { $0.role == .meter }.map { meter in
      var spec = meter.spec
      spec.scopes = []
      return ParameterDefinition(id: meter.id, spec: spec, .meter)
    }
    return [ParameterDefinition(id: Self.volume, spec: master)]
      + some(inputs, hidden, Self.volume) + some(inputs, on, Self.enable)
      + some(outputs, hidden, Self.volume) + some(outputs, on, Self.enable)
      + some(inputs * outputs, hidden, Self.volume)
      + (0..<inputs + outputs).flatMap { _ in meters } + clipping
  }

  /// [control thread] The addresses of all values that hosts can set, in the order of the slots.
  var addresses: [ParameterAddress] {
    func channels(_ scope: AudioUnitScope, _ count: Int, _ id: AudioUnitParameterID)
      -> [ParameterAddress]
    { (0..<count).map { ParameterAddress(id, scope, UInt32($0)) } }
    return [ParameterAddress(Self.volume, kAudioUnitScope_Global, 0xFFFF_FFFF)]
      + channels(kAudioUnitScope_Input, inputs, Self.volume)
      + channels(kAudioUnitScope_Input, inputs, Self.enable)
      + channels(kAudioUnitScope_Output, outputs, Self.volume)
      + channels(kAudioUnitScope_Output, outputs, Self.enable)
      + (0..<inputs).flatMap { input in
        (0..<outputs).map {
          ParameterAddress(Self.volume, kAudioUnitScope_Global, UInt32(input << 16 | $0))
        }
      }
  }
}
