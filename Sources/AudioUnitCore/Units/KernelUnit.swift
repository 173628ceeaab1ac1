// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
import SignalProcessing

/// A unit with a kernel of one of the four shapes. Everything that a host can query follows from
/// its definition.
open class KernelUnit: NativeUnit, @unchecked Sendable {
  private let definition: UnitDefinition
  private var kernel: KernelInstance?
  /// The delay of input conversion in seconds: the longest of all inputs.
  private var inputLatency = 0.0
  private var isBypassed = false
  private var processesInPlace = true
  private let inputSamples = InputSamplesListeners()
  /// The sample rate whose ranges all parameters have; 0 if some may have others.
  private var limitedRate = 0.0

  public init(component: Component, definition: UnitDefinition) {
    self.definition = definition
    super.init(
      component: component, parameters: definition.values, elements: definition.elements,
      format: .standard, maximumFrames: definition.maximumFramesPerSlice)
    for input in inputs where definition.shape == .mixer {
      input.format = StreamFormat(
        sampleRate: input.format.sampleRate, channelCount: definition.mixing.newInputChannels)
    }
    // If hosts control a unit only by presets, the first is selected.
    if let first = definition.factoryPresets.first, parameters.of(kAudioUnitScope_Global).isEmpty {
      preset = (first.number, first.name)
    }
    let converts = definition.shape == .converter && definition.hasRenderQuality
    if converts || definition.mixing.conversion != nil { renderQuality = 64 }
    if definition.mixing.isMatrix { layOutMatrix() }
  }

  deinit { releaseResources() }

  /// An object that the unit shares with the next kernel.
  open var shared: (any AnyObject & Sendable)? { nil }

  public override var elementCounts: ElementCounts { definition.elements }
  public override var channelCapabilities: [AUChannelInfo]? { definition.channels }
  public override var factoryPresets: [FactoryPreset] { definition.factoryPresets }
  public override var hasRenderQuality: Bool {
    definition.hasRenderQuality || definition.mixing.conversion != nil
  }
  public override var usesExternalBuffer: Bool { !inputs.isEmpty }

  open override var properties: [UnitProperty] {
    var rows = definition.settingRows
    if definition.canBypass { rows += Self.bypassProperties }
    if definition.shape == .effect { rows += Self.effectProperties }
    if definition.shape == .converter { rows += Self.converterProperties }
    if definition.mixing.isMatrix { rows += Self.matrixProperties }
    return rows
  }

  open override func formatChanged(_ element: Element) {
    if definition.mixing.isMatrix { layOutMatrix() }
    limitedRate = 0
  }

  public override func elementsChanged() {
    if definition.mixing.isMatrix { layOutMatrix() }
    limitedRate = 0
  }

  public override func checkFormats() throws(AudioError) {
    try super.checkFormats()
    if let explanation = definition.mixing.refusal(
      inputs.map(\.format.channelCount), outputs.map(\.format.channelCount))
    {
      throw .formatNotSupported.because(explanation)
    }
    if elements.matrix?.inputs == 0 {
      throw .formatNotSupported.because(
        "its channels have more than \(ParameterMatrix.capacity) crosspoints")
    }
  }

  public override var latency: Double {
    guard let kernel = kernelForQueries else { return 0 }
    return withExtendedLifetime(kernel) {
      let frames = withCurrentValues { kernel.latency($0) } ?? 0
      return frames / (outputs.first?.format.sampleRate ?? 44_100) + inputLatency
    }
  }

  open override func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    let isInput = element.scope == kAudioUnitScope_Input
    if definition.shape == .mixer {
      let mixing = definition.mixing
      let channels = isInput ? mixing.inputChannels : mixing.outputChannels
      guard channels.contains(format.channelCount) else {
        throw .formatNotSupported.because(
          "\(element.title): \(format.text); expected \(channels.lowerBound) to "
            + "\(channels.upperBound) channels")
      }
    }
    guard let conversion else { return try super.check(format, at: element) }
    guard conversion.accepts(format) else {
      throw .formatNotSupported.because("\(element.title): \(format.text) cannot be converted")
    }
  }

  /// The current kernel; an uninitialised unit makes a temporary one for queries, if possible.
  private var kernelForQueries: KernelInstance? {
    if let kernel { return kernel }
    guard (try? checkMemory()) != nil else { return nil }
    return definition.makeKernel(setup)
  }

  public override var ownMemory: Int {
    let setup = setup
    let planar = 4 * setup.maximumFrames
    // Converted samples need memory in both formats, and for an intermediate stage.
    let converted = inputs.reduce(0) {
      $0 + (isConverted($1) ? 2 * planar * $1.format.channelCount : 0)
    }
    return definition.memory(setup) + converted
  }

  public override var tailTime: Double? {
    guard let kernel = kernelForQueries else { return nil }
    // The closures use memory that the kernel frees.
    return withExtendedLifetime(kernel) { withCurrentValues { kernel.tailTime($0) } }
  }

  /// [control thread] Runs `query` with the current parameter values of every element.
  public func withCurrentValues<Result>(_ query: (RawParameterValues) -> Result?) -> Result? {
    limitParameters()
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let snapshots = elements.all.map { $0.parameters.snapshot(in: memory) }
    return snapshots.withUnsafeBufferPointer { all in
      guard let first = all.baseAddress else { return nil }
      var values = RawParameterValues(
        global: first[0], inputs: first + 1, outputs: first + 1 + inputs.count)
      values.isBypassed = isBypassed
      return query(values)
    }
  }

  private var setup: KernelSetup {
    limitParameters()
    var values: [AudioUnitParameterID: Float] = [:]
    for slot in global.parameters.ownSlots {
      values[elements.definitions[slot].id] = global.parameters.limitedValue(slot)
    }
    return KernelSetup(
      inputFormats: inputs.map(kernelFormat), outputFormats: outputs.map(kernelFormat),
      maximumFrames: maximumFrames, renderQuality: currentQuality,
      isOffline: host.isChain, parameters: values, shared: shared)
  }

  /// Updates the ranges that depend on the sample rate, which is that of the first output.
  private func limitParameters() {
    let rate = global.format(or: outputs.first).sampleRate
    guard rate != limitedRate else { return }
    limitedRate = rate
    for slot in elements.definitions.indices
    where elements.definitions[slot].spec.limit != .fixed {
      let range = elements.definitions[slot].spec.accepted(at: rate)
      for element in elements.all { element.parameters.setRange(slot, range) }
    }
  }

  /// What converts inputs whose format is not the kernel's; nil if the unit accepts only that format.
  /// With it, outputs may have any format too.
  private var conversion: InputConversion.Maker? {
    definition.shape == .effect ? .linearPCM : definition.mixing.conversion
  }

  /// The format of a bus for the kernel: after the conversion of an input, before that of an output.
  private func kernelFormat(_ element: Element) -> StreamFormat {
    let changesRate = definition.mixing.conversion != nil && element.scope == kAudioUnitScope_Input
    let rate = changesRate ? outputs.first?.format.sampleRate : nil
    return StreamFormat(
      sampleRate: rate ?? element.format.sampleRate, channelCount: element.format.channelCount)
  }

  /// Whether the samples of an input pass through a conversion.
  private func isConverted(_ input: Element) -> Bool {
    guard conversion != nil else { return false }
    return !input.format.isPlanarFloat || definition.mixing.rateSlot != nil
      || input.format.sampleRate != kernelFormat(input).sampleRate
  }

  /// The conversion of each input; nil if the source already has the kernel's format.
  private func makeConversions(_ setup: KernelSetup) throws(AudioError) -> [InputConversion?] {
    let mixing = definition.mixing
    var conversions: [InputConversion?] = []
    for (input, format) in zip(inputs, setup.inputFormats) {
      guard let conversion, isConverted(input) else {
        conversions.append(nil)
        continue
      }
      let ratio = input.format.sampleRate / format.sampleRate
      guard (1 / 256.0...256).contains(ratio) else {
        throw .formatNotSupported.because(
          "\(input.title) runs at \(input.format.sampleRate.plainText) Hz, the output at "
            + "\(format.sampleRate.plainText) Hz; rates may differ by a factor of 256")
      }
      conversions.append(
        conversion.make(
          InputConversion.Setup(
            source: input.format, sampleRate: format.sampleRate, allocates: input.allocatesBuffer,
            maximumFrames: setup.maximumFrames, renderQuality: setup.renderQuality,
            variesRate: mixing.rateSlot != nil)))
    }
    return conversions
  }

  open override func allocateResources() throws(AudioError) {
    let hasOneRate = definition.shape != .generator && !definition.convertsRate
    if hasOneRate, definition.mixing.conversion == nil { try checkRates() }
    let setup = setup
    let kernel = definition.makeKernel(setup)
    let conversions = try makeConversions(setup)
    let writers = outputs.map {
      $0.format.isPlanarFloat ? nil : BufferListWriter($0.format, maximumFrames: maximumFrames)
    }
    self.kernel = kernel
    inputLatency = conversions.reduce(0) { max($0, $1?.latency ?? 0) }
    let parts = KernelRenderer.UnitParts(
      global: global, inputs: inputs, outputs: outputs, conversions: conversions,
      writers: writers,
      external: host.externalBuffer.map {
        UnsafeMutableRawBufferPointer(start: $0.buffer, count: Int($0.size))
      }, pending: side.pointee.pending, events: side.pointee.events, history: side.pointee.history,
      inputSamples: definition.shape == .converter ? inputSamples.reader : nil)
    side.pointee.renderer = UnsafeMutableRawPointer(
      KernelRenderer.allocate(
        definition, kernel, setup, parts, processesInPlace: processesInPlace,
        isBypassed: isBypassed))
  }

  /// Input and output have the same number of frames, so the rates must be equal.
  private func checkRates() throws(AudioError) {
    for output in outputs.dropFirst() where output.format.sampleRate != setup.format.sampleRate {
      throw .formatNotSupported.because(
        "\(output.title) runs at \(output.format.sampleRate.plainText) Hz, \(outputs[0].title) at "
          + "\(setup.format.sampleRate.plainText) Hz; they must be equal")
    }
    for input in inputs where input.hasSource || definition.shape != .mixer {
      guard let output = outputs.first, input.format.sampleRate != output.format.sampleRate else {
        continue
      }
      throw .formatNotSupported.because(
        "\(input.title) runs at \(input.format.sampleRate.plainText) Hz, \(output.title) at "
          + "\(output.format.sampleRate.plainText) Hz; this unit does not convert rates")
    }
  }

  open override func releaseResources() {
    renderer.map { KernelRenderer.deallocate($0) }
    side.pointee.renderer = nil
    inputSamples.freeReplaced()
    kernel = nil
    inputLatency = 0
  }

  private var renderer: UnsafeMutablePointer<KernelRenderer>? { side.pointee.kernelRenderer }

  /// Whether connected units may pull the kernel without a call of `render`.
  open var isPulledDirectly: Bool { true }
  override var directSource: DirectSource? { isPulledDirectly ? DirectSource(kernelOf: side) : nil }

  public override var pullsIndependently: Bool { definition.shape == .mixer }
  public override var rendersFramesOnce: Bool { true }
  public override var keepsTime: Bool {
    switch definition.shape {
    case .effect, .mixer:
      definition.mixing.rateSlot == nil
        && inputs.allSatisfy { $0.format.sampleRate == kernelFormat($0).sampleRate }
    case .generator, .converter: false
    }
  }

  public override func clearHistory() { renderer?.pointee.reset() }

  /// [render thread] Processes an effect's samples in place.
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

  /// [render thread] Processes the caller's lists, for effects and mixers.
  public override func processMultiple(
    _ call: RenderCall, inputs: UnsafeBufferPointer<UnsafePointer<AudioBufferList>?>,
    outputs: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus {
    guard definition.shape == .effect || definition.shape == .mixer else {
      return kAudio_UnimplementedError
    }
    return guardedProcess(call, inputs, outputs)
  }

  open override func canDo(_ selector: Int) -> Bool {
    super.canDo(selector)
      || (definition.shape == .effect && selector == kAudioUnitProcessSelect)
      || (definition.shape == .effect || definition.shape == .mixer)
        && selector == kAudioUnitProcessMultipleSelect
  }

  private static let bypassProperties = PropertyRow<KernelUnit>.rows([
    .flag(
      kAudioUnitProperty_BypassEffect, in: [kAudioUnitScope_Global],
      get: { unit, _ in unit.isBypassed },
      set: { unit, _, isOn in
        unit.isBypassed = isOn
        unit.renderer?.pointee.isBypassed.store(isOn, ordering: .relaxed)
      })
  ])

  private static let converterProperties = PropertyRow<KernelUnit>.rows([
    .value(
      kAudioUnitProperty_InputSamplesInOutput, in: [kAudioUnitScope_Global],
      get: { unit, _ in unit.inputSamples.listener },
      set: { unit, _, listener in unit.inputSamples.set(listener) })
  ])

  private static let effectProperties = PropertyRow<KernelUnit>.rows([
    .flag(
      kAudioUnitProperty_InPlaceProcessing, in: [kAudioUnitScope_Global],
      get: { unit, _ in unit.processesInPlace },
      set: { unit, _, inPlace in
        unit.processesInPlace = inPlace
        unit.renderer?.pointee.processesInPlace.store(inPlace, ordering: .relaxed)
      })
  ])

  /// The crosspoints of a matrix. The last column holds the gains of the inputs, the last row those
  /// of the outputs and, at its end, the master gain.
  private static let matrixProperties = PropertyRow<KernelUnit>.rows([
    .array(
      kAudioUnitProperty_MatrixLevels, in: [kAudioUnitScope_Global], Float32.self,
      get: { unit, _ in unit.levelSlots.map { unit.global.parameters.value($0) } },
      count: { unit, _ in unit.levelSlots.count },
      set: { (unit, _, levels) throws(AudioError) in
        guard levels.allSatisfy(\.isFinite) else {
          throw .invalidPropertyValue.because("one of the levels is not finite")
        }
        for (slot, level) in zip(unit.levelSlots, levels) {
          unit.global.parameters.set(slot, to: level)
        }
      }),
    .array(
      kAudioUnitProperty_MatrixDimensions, in: [kAudioUnitScope_Global], UInt32.self,
      get: { unit, _ in
        [UInt32(unit.elements.matrix?.inputs ?? 0), UInt32(unit.elements.matrix?.outputs ?? 0)]
      }),
  ])

  private var levelSlots: [Int] {
    guard let matrix = elements.matrix else { return [] }
    return (0...matrix.inputs).flatMap { row in
      (0...matrix.outputs).compactMap { column in
        let (input, output) = (
          row == matrix.inputs ? 0xFFFF : row, column == matrix.outputs ? 0xFFFF : column
        )
        let location = matrix.locate(0, kAudioUnitScope_Global, UInt32(input << 16 | output))
        guard case .slot(let slot) = location else { return nil }
        return slot
      }
    }
  }
}

extension UnitDefinition {
  /// [control thread] A new unit of this kind.
  public func unit(of component: Component) -> UnitInstance {
    makeUnit?(component, self) ?? KernelUnit(component: component, definition: self)
  }
}
