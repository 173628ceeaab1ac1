// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// A unit made of a kernel of one of the four shapes: everything a host can ask follows from its
/// definition.
public final class KernelUnit: NativeUnit, @unchecked Sendable {
  private let definition: UnitDefinition
  /// The render half; there is one while the unit is initialised.
  private let renderer: UnsafeMutablePointer<UnsafeMutablePointer<KernelRenderer>?>
  private var kernel: KernelInstance?
  private var isBypassed = false
  private var processesInPlace = true

  public init(component: Component, definition: UnitDefinition) {
    self.definition = definition
    renderer = .allocate(capacity: 1)
    renderer.initialize(to: nil)
    super.init(
      component: component, parameters: definition.parameters, elements: definition.elements,
      format: .standard, maximumFrames: definition.maximumFramesPerSlice)
  }

  deinit {
    releaseResources()
    renderer.deallocate()
  }

  public override var elementCounts: ElementCounts { definition.elements }
  public override var channelCapabilities: [AUChannelInfo]? { definition.channels }
  public override var factoryPresets: [FactoryPreset] { definition.factoryPresets }

  public override var properties: [Property] {
    definition.shape == .effect ? Self.effectProperties : []
  }

  public override var latency: Double {
    Double(kernel?.latencyFrames() ?? 0) / (outputs.first?.format.sampleRate ?? 44_100)
  }

  public override var tailTime: Double? {
    // Asked of a kernel that exists; a unit that is not initialised makes one for the answer.
    let kernel = kernel ?? definition.makeKernel(setup)
    // Its closures point into memory that goes with it.
    return withExtendedLifetime(kernel) { withPresentValues { kernel.tailTime($0) } }
  }

  /// Reads the parameters of every element for a question of the control side.
  private func withPresentValues<Answer>(_ ask: (RawParameterValues) -> Answer?) -> Answer? {
    let snapshots = ([global] + inputs + outputs).map { $0.parameters.snapshot() }
    defer { for snapshot in snapshots { snapshot.deallocate() } }
    return snapshots.withUnsafeBufferPointer { all in
      guard let first = all.baseAddress else { return nil }
      return ask(
        RawParameterValues(
          global: first[0], inputs: first + 1, outputs: first + 1 + inputs.count))
    }
  }

  private var setup: KernelSetup {
    KernelSetup(
      inputFormats: inputs.map(\.format), outputFormats: outputs.map(\.format),
      maximumFrames: maximumFrames, renderQuality: renderQuality)
  }

  public override func allocateResources() throws(AudioError) {
    if definition.shape == .effect || definition.shape == .mixer {
      try checkRates()
    }
    let kernel = definition.makeKernel(setup)
    let memory = UnsafeMutablePointer<KernelRenderer>.allocate(capacity: 1)
    memory.initialize(
      to: KernelRenderer(
        definition.shape, kernel, setup, self, processesInPlace: processesInPlace,
        isBypassed: isBypassed))
    self.kernel = kernel
    renderer.pointee = memory
  }

  /// Frames in are frames out: the rates must agree.
  private func checkRates() throws(AudioError) {
    for input in inputs where input.hasSource || definition.shape == .effect {
      guard let output = outputs.first, input.format.sampleRate != output.format.sampleRate else {
        continue
      }
      throw .formatNotSupported.because(
        "\(input.title) runs at \(input.format.sampleRate) Hz, \(output.title) at "
          + "\(output.format.sampleRate) Hz; this unit does not convert rates")
    }
  }

  public override func releaseResources() {
    renderer.pointee?.deinitialize(count: 1).deallocate()
    renderer.pointee = nil
    kernel = nil
  }

  /// [render thread]
  @_noLocks
  public override func forget() { renderer.pointee?.pointee.reset() }

  /// [render thread]
  @_noLocks
  public override func produce(
    _ call: RenderCall, _ plan: RenderPlan, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let renderer = renderer.pointee else { return kAudioUnitErr_Uninitialized }
    return renderer.pointee.render(call, plan, into: data)
  }

  /// [render thread]
  public override func process(_ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  {
    guard definition.shape == .effect else { return kAudio_UnimplementedError }
    var output: UnsafeMutablePointer<AudioBufferList>? = data
    var input: UnsafePointer<AudioBufferList>? = UnsafePointer(data)
    return withUnsafePointer(to: &input) { inputs in
      withUnsafePointer(to: &output) { outputs in
        guardedProcess(
          call, UnsafeBufferPointer(start: inputs, count: 1),
          UnsafeBufferPointer(start: outputs, count: 1))
      }
    }
  }

  /// [render thread]
  public override func processMultiple(
    _ call: RenderCall, inputs: UnsafeBufferPointer<UnsafePointer<AudioBufferList>?>,
    outputs: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus {
    guard definition.shape == .effect || definition.shape == .mixer else {
      return kAudio_UnimplementedError
    }
    return guardedProcess(call, inputs, outputs)
  }

  /// [render thread]
  @_noLocks
  public override func produce(
    _ call: RenderCall, inputs: UnsafeBufferPointer<UnsafePointer<AudioBufferList>?>,
    outputs: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus {
    guard let renderer = renderer.pointee else { return kAudioUnitErr_Uninitialized }
    return renderer.pointee.process(call, inputs, outputs)
  }

  public override func canDo(_ selector: Int) -> Bool {
    super.canDo(selector)
      || (definition.shape == .effect && selector == kAudioUnitProcessSelect)
      || (definition.shape == .effect || definition.shape == .mixer)
        && selector == kAudioUnitProcessMultipleSelect
  }

  private static let effectProperties: [Property] = [
    Rows<KernelUnit>.value(
      kAudioUnitProperty_BypassEffect, in: [kAudioUnitScope_Global],
      get: { unit, _ in UInt32(unit.isBypassed ? 1 : 0) },
      set: { (unit, _, isOn: UInt32) throws(AudioError) in
        // What the filters remember is old by the time they come back.
        if isOn == 0, unit.isBypassed { try unit.reset(kAudioUnitScope_Global, 0) }
        unit.isBypassed = isOn != 0
        unit.renderer.pointee?.pointee.isBypassed.store(isOn != 0, ordering: .relaxed)
      }),
    Rows<KernelUnit>.value(
      kAudioUnitProperty_InPlaceProcessing, in: [kAudioUnitScope_Global],
      get: { unit, _ in UInt32(unit.processesInPlace ? 1 : 0) },
      set: { unit, _, inPlace in
        unit.processesInPlace = inPlace != 0
        unit.renderer.pointee?.pointee.processesInPlace.store(inPlace != 0, ordering: .relaxed)
      }),
  ]
}
