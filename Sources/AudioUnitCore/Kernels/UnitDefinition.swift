// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// An entry of the catalogue: everything that is known about a unit before an instance exists.
public struct UnitDefinition: Sendable {
  /// The shape of the kernel: whether it has inputs, and how many frames it pulls for its output.
  public enum Shape: Sendable { case generator, effect, mixer, converter }

  public private(set) var identity: Identity
  public let shape: Shape
  /// The values of every element: parameters, then settings, then meters.
  public private(set) var values: [ParameterDefinition]
  let settings: [SettingSpec]
  /// The property rows of settings and meters.
  private(set) var settingRows: [UnitProperty] = []
  let meters: MeterSet
  public private(set) var elements: ElementCounts
  public private(set) var channels: [AUChannelInfo]?
  public private(set) var factoryPresets: [FactoryPreset]
  public let maximumFramesPerSlice: Int
  let hasRenderQuality: Bool
  /// Mixers only: how they pull and convert their inputs.
  @usableFromInline var mixing = Mixing()
  /// Whether hosts can bypass it, and whether the rates of its input and output may differ.
  @usableFromInline var canBypass: Bool
  @usableFromInline var convertsRate = false
  /// Effects only: whether the output of the kernel is always finite.
  @usableFromInline var isAlwaysFinite = false
  /// Mixers only: whether a render fails while the first input has no source, as that of an effect does.
  public var needsFirstInput: Bool {
    get { mixing.needsFirstInput }
    set { mixing.needsFirstInput = newValue }
  }
  let makeKernel: @Sendable (KernelSetup) -> KernelInstance
  let memory: @Sendable (KernelSetup) -> Int
  /// Makes a unit of its own class, for units with properties that do not follow from the
  /// definition; nil: a `KernelUnit`.
  public var makeUnit: (@Sendable (Component, UnitDefinition) -> UnitInstance)?

  @inlinable
  init<K: Kernel & ~Copyable & SendableMetatype>(
    _ kernel: K.Type, _ shape: Shape,
    makeKernel: @escaping @Sendable (KernelSetup) -> KernelInstance
  ) {
    self.init(
      identity: K.identity, shape: shape,
      parameters: K.parameters, settings: K.settings, meters: K.meters, elements: K.elements,
      channels: K.channels, factoryPresets: K.factoryPresets,
      maximumFramesPerSlice: K.maximumFramesPerSlice, hasRenderQuality: K.hasRenderQuality,
      makeKernel: makeKernel, memory: { K.memory($0) })
  }

  @usableFromInline
  init(
    identity: Identity, shape: Shape, parameters: [ParameterDefinition], settings: [SettingSpec],
    meters: MeterSet, elements: ElementCounts, channels: [AUChannelInfo]?,
    factoryPresets: [FactoryPreset], maximumFramesPerSlice: Int, hasRenderQuality: Bool,
    makeKernel: @escaping @Sendable (KernelSetup) -> KernelInstance,
    memory: @escaping @Sendable (KernelSetup) -> Int
  ) {
    self.identity = identity
    self.shape = shape
    values = parameters + settings.map { .setting($0) } + meters.definitions
    self.settings = settings
    self.meters = meters
    self.elements = elements
    self.channels = channels
    self.factoryPresets = factoryPresets
    self.maximumFramesPerSlice = maximumFramesPerSlice
    self.hasRenderQuality = hasRenderQuality
    canBypass = shape == .effect
    self.makeKernel = makeKernel
    self.memory = memory
    settingRows = makeSettingRows()
  }
}

extension UnitDefinition {
  /// A unit that makes sound without an input.
  @inlinable
  public static func generator<K: GeneratorKernel & ~Copyable & SendableMetatype>(_ type: K.Type)
    -> Self
  {
    Self(type, .generator) { setup in
      let kernel = KernelBox<K>(setup)
      return kernel.instance { work in
        kernel.state.pointee.render(
          work.pointee.outputs[0], KernelValues(work.pointee.values))
      }
    }
  }

  /// A unit of its own class, whose kernel's output depends on the time of the render.
  @inlinable
  public static func timed<K: TimedKernel & ~Copyable & SendableMetatype>(
    _ type: K.Type, makeUnit: @escaping @Sendable (Component, UnitDefinition) -> UnitInstance
  ) -> Self {
    var definition = Self(type, .generator) { setup in
      let kernel = KernelBox<K>(setup)
      return kernel.instance { work in
        guard let time = work.pointee.time else { return }
        let isSilent = kernel.state.pointee.render(
          work.pointee.outputs[0], at: time, KernelValues(work.pointee.values))
        work.pointee.outputs.setSilent(0, isSilent)
      }
    }
    definition.makeUnit = makeUnit
    return definition
  }

  /// A unit of its own class, whose kernel fills several output buses.
  @inlinable
  public static func buses<K: BusGeneratorKernel & ~Copyable & SendableMetatype>(
    _ type: K.Type, makeUnit: @escaping @Sendable (Component, UnitDefinition) -> UnitInstance
  ) -> Self {
    var definition = Self(type, .generator) { setup in
      let kernel = KernelBox<K>(setup)
      return kernel.instance { work in
        kernel.state.pointee.render(work.pointee.outputs, KernelValues(work.pointee.values))
      }
    }
    definition.makeUnit = makeUnit
    return definition
  }

  /// A unit that processes in place.
  @inlinable
  public static func effect<K: EffectKernel & ~Copyable & SendableMetatype>(_ type: K.Type) -> Self
  {
    var definition = Self(type, .effect) { setup in
      let kernel = KernelBox<K>(setup)
      return kernel.instance { work in
        kernel.state.pointee.render(
          work.pointee.outputs[0], KernelValues(work.pointee.values))
      }
    }
    definition.isAlwaysFinite = type.isAlwaysFinite
    return definition
  }

  /// A unit that mixes or routes buses. With `conversion`, each input may have its own format.
  @inlinable
  public static func mixer<K: MixerKernel & ~Copyable & SendableMetatype>(
    _ type: K.Type, converting conversion: InputConversion.Maker? = nil
  ) -> Self {
    var definition = Self(type, .mixer) { setup in
      let kernel = KernelBox<K>(setup)
      return kernel.instance { work in
        kernel.state.pointee.render(
          work.pointee.inputs, work.pointee.outputs, KernelValues(work.pointee.values))
      }
    }
    definition.mixing = Mixing(type, conversion)
    return definition
  }

  /// A unit that pulls a different number of frames than it outputs.
  @inlinable
  public static func converter<K: ConverterKernel & ~Copyable & SendableMetatype>(_ type: K.Type)
    -> Self
  {
    var definition = Self(type, .converter) { setup in
      let kernel = KernelBox<K>(setup)
      let state = kernel.state
      let converting = KernelInstance.Converting(
        inputFrames: { state.pointee.inputFrames(for: $0, KernelValues($1)) },
        consume: { state.pointee.consume($0, KernelValues($1)) },
        longestSlice: { state.pointee.longestSlice(KernelValues($0)) },
        pendingInputFrames: { state.pointee.pendingInputFrames(KernelValues($0)) })
      return kernel.instance(converting: converting) { work in
        state.pointee.render(work.pointee.outputs[0], KernelValues(work.pointee.values))
      }
    }
    definition.canBypass = K.canBypass
    definition.convertsRate = K.convertsRate
    return definition
  }
}

extension UnitDefinition {
  /// The same unit under another identity, with another range for one parameter.
  public func renamed(
    _ identity: Identity, range: ClosedRange<Float>, of parameter: AudioUnitParameterID
  ) -> Self {
    var definition = self
    definition.identity = identity
    definition.values = values.map { value in
      guard value.id == parameter, value.role == .parameter else { return value }
      var spec = value.spec
      spec.range = range
      return ParameterDefinition(id: parameter, spec: spec)
    }
    return definition
  }

  /// The same kernel for a unit that is described at run time: the kernel reads its parameters by
  /// slot, in the order of `parameters`.
  public func described(
    _ identity: Identity, parameters: [ParameterDefinition], elements: ElementCounts,
    channels: [AUChannelInfo]?, factoryPresets: [FactoryPreset]
  ) -> Self {
    var definition = self
    definition.identity = identity
    definition.values = parameters
    definition.elements = elements
    definition.channels = channels
    definition.factoryPresets = factoryPresets
    return definition
  }

  /// A mixer whose parameters are addressed by channel; see `ParameterMatrix`. The kernel reads
  /// them by slot.
  @inlinable
  public static func matrixMixer<K: MixerKernel & ~Copyable & SendableMetatype>(
    _ type: K.Type, converting conversion: InputConversion.Maker? = nil
  ) -> Self {
    var definition = mixer(type, converting: conversion)
    definition.mixing.isMatrix = true
    return definition
  }
}
