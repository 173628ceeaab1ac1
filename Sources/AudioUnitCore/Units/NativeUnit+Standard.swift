// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// Implementations of `StandardProperties` rows that need more than a line.
extension NativeUnit {
  final func elements(_ scope: AudioUnitScope) -> [Element] {
    switch scope {
    case kAudioUnitScope_Input: inputs
    case kAudioUnitScope_Output: outputs
    default: [global]
    }
  }

  /// Changes the number of elements of a scope.
  final func changeElementCount(_ scope: AudioUnitScope, _ count: Int) throws(AudioError) {
    let range = elementRange(scope)
    guard elements(scope).count != count else { return }
    guard range.count > 1 else {
      throw .propertyNotWritable.because(
        "the \(Element.scopeName(scope)) scope always has \(elements(scope).count)")
    }
    guard !isInitialized else {
      throw .initialized.because(
        "elements are fixed while the unit is initialized; uninitialize it first")
    }
    guard range.contains(count) else {
      throw .invalidPropertyValue.because(
        "\(count) elements; expected \(range.lowerBound) to \(range.upperBound)")
    }
    setElementCount(scope, count)
  }

  /// [control thread, under the lock] Sets the maximum number of frames of one render.
  package final func setMaximumFrames(_ frames: UInt32) throws(AudioError) {
    guard (1...1_048_576).contains(frames) else {
      throw .invalidPropertyValue.because("\(frames) frames; expected 1 to 1,048,576")
    }
    maximumFrames = Int(frames)
    hasChosenMaximumFrames = true
  }

  /// Sets the channel layout of a bus; nil removes it.
  final func setLayout(_ layout: UnsafeRawBufferPointer?, _ address: PropertyAddress)
    throws(AudioError)
  {
    let element = try element(address.scope, address.element)
    guard let layout else {
      element.layout = nil
      return
    }
    guard let count = ChannelLayouts.channelCount(layout) else {
      throw .invalidPropertyValue.because("\(layout.count) bytes are not an AudioChannelLayout")
    }
    guard count == element.format.channelCount else {
      throw .invalidPropertyValue.because(
        "\(element.title) has \(element.format.channelCount) channels, the layout \(count)")
    }
    element.layout = ChannelLayouts.bytes(layout)
  }

  /// Sets a callback as the source of a bus; a null function removes it.
  package final func setRenderCallback(
    _ callback: AURenderCallbackStruct, _ index: AudioUnitElement
  )
    throws(AudioError)
  {
    let element = try element(kAudioUnitScope_Input, index)
    let source = callback.inputProc == nil ? InputSource() : .callback(callback)
    plug(element, source, unit: nil)
    // The host may free the old context as soon as this returns.
    sourcesChanged()
  }

  /// Connects an input bus to an output bus of another unit, and gives it that bus's format; a null
  /// unit disconnects.
  final func connect(_ connection: AudioUnitConnection) throws(AudioError) {
    let element = try element(kAudioUnitScope_Input, connection.destInputNumber)
    guard let sourceHandle = connection.sourceAudioUnit else {
      plug(element, InputSource(), unit: nil)
      sourcesChanged()
      return
    }
    guard let entered = Handles.units.enter(sourceHandle) else {
      throw .invalidPropertyValue.because("the source is not an existing audio unit")
    }
    defer { Handles.units.leave(sourceHandle) }
    let source = entered.takeUnretainedValue()
    guard source !== self || feedsItself(from: connection.sourceOutputNumber) else {
      throw .invalidPropertyValue.because("a unit cannot be its own source")
    }
    let format = try format(of: source, connection.sourceOutputNumber)
    try adopt(format, of: source.title, at: element)
    plug(element, .connection(source, bus: connection.sourceOutputNumber), unit: source)
    sourcesChanged()
  }

  private func format(of source: UnitInstance, _ bus: UInt32) throws(AudioError) -> StreamFormat {
    if let foreignOutput { return try foreignOutput.format.get() }
    return try source.streamFormat(kAudioUnitScope_Output, bus)
  }

  /// [under the lock] Gives an element the format of its future source.
  final func adopt(_ format: StreamFormat, of source: String, at element: Element)
    throws(AudioError)
  {
    guard format != element.format else { return }
    try checkAdoption(format, of: source, at: element)
    element.format = format
    formatChanged(element)
    addFormatChange(element)
  }

  /// [under the lock] Checks that an element can have the format of its future source. A connection
  /// sets the format, so an element with another, fixed format cannot be connected.
  final func checkAdoption(_ format: StreamFormat, of source: String, at element: Element)
    throws(AudioError)
  {
    guard format != element.format else { return }
    if let refusal = formatChangeRefusal(element) {
      throw AudioError.formatNotSupported.because(
        "\(source) gives \(format.text), \(element.title) has \(element.format.text): "
          + refusal.explanation)
    }
    do throws(AudioError) { try check(format, at: element) } catch {
      throw AudioError.formatNotSupported.because(
        "\(source) gives \(format.text): \(error.explanation)")
    }
  }

  /// The parameters that elements of a scope have.
  final func definitions(in scope: AudioUnitScope) -> [ParameterDefinition] {
    parameterDefinitions.filter { $0.spec.scopes.contains(scope) && hasParameter($0.id) }
  }

  final func definition(_ address: PropertyAddress) throws(AudioError) -> ParameterDefinition {
    try definition(address.element, address.scope)
  }

  final func definition(_ id: AudioUnitParameterID, _ scope: AudioUnitScope) throws(AudioError)
    -> ParameterDefinition
  {
    let found = definitions(in: scope).first { $0.id == id }
    guard let found else {
      throw .invalidParameter.because(
        "parameter \(id) is not on the \(Element.scopeName(scope)) scope")
    }
    return found
  }
}

extension NativeUnit {
  /// The groups of a scope's parameters.
  final func clumps(in scope: AudioUnitScope) -> [ParameterSpec.Clump] {
    definitions(in: scope).compactMap(\.spec.clump)
  }

  final func clump(_ id: UInt32, _ scope: AudioUnitScope) throws(AudioError) -> ParameterSpec.Clump
  {
    let clumps = clumps(in: scope)
    guard let found = clumps.first(where: { $0.id == id }) else {
      let ids = Set(clumps.map(\.id)).sorted().map { "\($0)" }.joined(separator: ", ")
      throw .invalidPropertyValue.because(
        "there is no clump \(id) on the \(Element.scopeName(scope)) scope; there are \(ids)")
    }
    return found
  }
}
