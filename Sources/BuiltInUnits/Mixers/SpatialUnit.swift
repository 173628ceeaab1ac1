// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime

/// The unit of both 3D mixers: it computes the measured head before an input needs it.
///
/// The head is computed on the thread that initialises the unit, or that selects the algorithm of
/// an initialised unit, so that renders are the same on every run.
final class SpatialUnit: KernelUnit, @unchecked Sendable {
  override var properties: [UnitProperty] { super.properties + Self.ownProperties }

  override func initialize() throws(AudioError) {
    let needsHead = inputs.contains { usesHead($0.parameters.setting(Self.algorithm)) }
    let head = needsHead ? prepareHead() : nil
    // Until the kernel retains the head, other heads could displace it from the cache.
    defer { withExtendedLifetime(head) {} }
    try super.initialize()
  }

  override func setProperty(
    _ address: PropertyAddress, _ data: UnsafeRawPointer?, size: UInt32
  ) throws(AudioError) {
    if isInitialized, let data, size == 4 {
      prepareHeadIfNeeded(address.id, data.loadUnaligned(as: UInt32.self))
    }
    try super.setProperty(address, data, size: size)
  }

  /// Called before a property is set: computes the head if the new value will need it.
  private func prepareHeadIfNeeded(_ id: AudioUnitPropertyID, _ value: UInt32) {
    switch id {
    case kAudioUnitProperty_SpatializationAlgorithm where usesHead(Float(value)): prepareHead()
    case kAudioUnitProperty_SpatialMixerOutputType where value == Self.headphones:
      if inputs.contains(where: { $0.parameters.setting(Self.algorithm) == Self.byOutputType }) {
        prepareHead()
      }
    default: break
    }
  }

  /// The settings that determine whether the head is needed, and their values.
  private static let algorithm = SpatialSetting.algorithm.index
  private static let outputType = SpatialSetting.outputType.index
  private static let headphones: UInt32 = 1
  private static let byOutputType: Float = 7

  /// Whether an algorithm uses the measured head.
  private func usesHead(_ number: Float) -> Bool {
    number == 2 || number == 6
      || number == Self.byOutputType
        && global.parameters.setting(Self.outputType) == Float(Self.headphones)
  }

  /// [any thread] Computes the head for the rate of the output. Inside a render it does not wait:
  /// another thread computes the head, and the sphere is used until then.
  @discardableResult
  private func prepareHead() -> SharedHead {
    let head = SharedHead.at(outputs[0].format.sampleRate)
    guard rt_current().pointee.depth > 0 else {
      head.prepare()
      return head
    }
    try? WorkerThread(name: "audio-head") { _ in head.prepare() }.start()
    return head
  }

  private static let ownProperties = PropertyRow<SpatialUnit>.rows([
    .string(
      kAUDiagnosticsProperty_Head, in: [kAudioUnitScope_Global],
      get: { unit, _ in
        switch SharedHead.at(unit.outputs[0].format.sampleRate).outcome {
        case .measured(let path): path
        case .sphere(let reason): "sphere: \(reason)"
        }
      })
  ])
}

extension UnitDefinition {
  /// A 3D mixer.
  static func spatialMixer<K: MixerKernel & ~Copyable & SendableMetatype>(_ type: K.Type) -> Self
  where K.Setting == SpatialSetting {
    var definition = Self.mixer(type, converting: .linearPCM)
    definition.makeUnit = { SpatialUnit(component: $0, definition: $1) }
    return definition
  }
}
