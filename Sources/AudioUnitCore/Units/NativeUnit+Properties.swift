// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// Property calls: find the row, check scope and element, read or write, and call the listeners.
extension NativeUnit {
  /// Every row that a host can access: first the unit's own rows, then those of all units.
  public final var allProperties: [Property] {
    let own = properties
    let names = Set(own.map(\.id))
    return own + StandardProperties.rows.filter { !names.contains($0.id) && has($0) }
  }

  private func row(_ address: PropertyAddress) throws(AudioError) -> Property {
    let row =
      properties.first { $0.id == address.id }
      ?? StandardProperties.row(address.id).flatMap { has($0) ? $0 : nil }
    guard let row else {
      throw .invalidProperty.because(
        "\(PropertyNames.name(address.id)) is not one of its properties"
          + (Self.absences[address.id].map { ": " + $0 } ?? ""))
    }
    guard row.scopes.contains(address.scope) else {
      throw .invalidScope.because(
        "\(PropertyNames.name(address.id)) is not on the \(Element.scopeName(address.scope)) "
          + "scope, but on: " + row.scopes.map(Element.scopeName).joined(separator: ", "))
    }
    switch row.addressing {
    case .element: _ = try element(address.scope, address.element)
    // Element 0 means the scope, even if the scope has no elements.
    case .scope where address.element > 0: _ = try element(address.scope, address.element)
    case .scope, .parameter, .unit: break
    }
    return row
  }

  /// Whether the unit has the feature of a common row.
  private func has(_ row: Property) -> Bool {
    switch row.id {
    case kAudioUnitProperty_SupportedNumChannels: channelCapabilities != nil
    case kAudioUnitProperty_TailTime: tailTime != nil
    case kAudioUnitProperty_FactoryPresets: !factoryPresets.isEmpty
    case kAudioUnitProperty_ParameterClumpName:
      parameterDefinitions.contains { $0.spec.clump != nil }
    case kAudioUnitProperty_MakeConnection, kAudioUnitProperty_SetRenderCallback:
      !inputs.isEmpty
    case kAudioUnitProperty_SetExternalBuffer: usesExternalBuffer
    case kAudioUnitProperty_RenderQuality: hasRenderQuality
    case kAudioUnitProperty_OfflineRender: hasRenderQuality && rendersOffline
    default: true
    }
  }

  /// Why some properties are missing that hosts set on any unit: they would have no effect.
  private static let absences: [AudioUnitPropertyID: String] = [
    kAudioUnitProperty_RenderQuality: "it always uses the best quality",
    kAudioUnitProperty_OfflineRender: "it renders the same online and offline",
    kAudioUnitProperty_SetExternalBuffer: "callbacks do not write into input memory of this unit",
    kAudioUnitProperty_PresentationLatency: "output units report that of their devices",
    kAudioUnitProperty_HostCallbacks: "it does not use the host's beat, tempo or transport",
  ]

  private func isWritable(_ row: Property) -> Bool {
    if case .never = row.writability { false } else { refusal(row) == nil }
  }

  /// The reason why a property cannot be written now; nil if it can.
  private func refusal(_ row: Property) -> AudioError? {
    switch row.writability {
    case .never, .always: nil
    case .uninitialized(let refusal): isInitialized ? refusal : nil
    case .unless(let refusal): refusal(self)
    }
  }
}

extension NativeUnit {
  /// The error with the name of the property.
  final func explained(_ error: AudioError, _ address: PropertyAddress) -> AudioError {
    error.of(PropertyNames.name(address.id))
  }

  /// [control thread] Size and writability of a property.
  public final func info(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo {
    try control { () throws(AudioError) in
      let row = try row(address)
      var isWritable = isWritable(row)
      if row.id == kAudioUnitProperty_StreamFormat || row.id == kAudioUnitProperty_SampleRate,
        let element = try? formatElement(address)
      {
        isWritable = formatChangeRefusal(element) == nil && !element.isConnected
      } else if row.id == kAudioUnitProperty_ElementCount {
        isWritable = isWritable && elementRange(address.scope).count > 1
      }
      if let size = row.size { return PropertyInfo(size: size, isWritable: isWritable) }
      guard let read = row.read else { return PropertyInfo(size: 0, isWritable: isWritable) }
      guard case .bytes(let bytes) = try read(self, address, []) else {
        return PropertyInfo(size: MemoryLayout<UnsafeRawPointer>.size, isWritable: isWritable)
      }
      return PropertyInfo(size: bytes.count, isWritable: isWritable)
    }
  }

  /// [control thread] Reads at most `size` bytes into `data`; a longer value is truncated.
  public final func read(
    _ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    let capacity = Int(size)
    let value = try control { () throws(AudioError) in
      let row = try row(address)
      guard let read = row.read else {
        throw .invalidProperty.because("\(PropertyNames.name(address.id)) can only be set")
      }
      // Only input is read from the memory: the caller may have less memory than `size`.
      let input = Array(
        UnsafeRawBufferPointer(
          start: data, count: row.hasInput ? min(capacity, row.size ?? 0) : 0))
      do throws(AudioError) {
        return try read(self, address, input)
      } catch { throw explained(error, address) }
    }
    switch value {
    case .bytes(let bytes):
      bytes.withUnsafeBytes {
        guard let base = $0.baseAddress else { return }
        data.copyMemory(from: base, byteCount: min(capacity, bytes.count))
      }
      size = UInt32(min(capacity, bytes.count))
    case .object(let object):
      guard capacity >= MemoryLayout<UnsafeRawPointer>.size else {
        if let object { Bridge.current.release(object) }
        throw .invalidPropertyValue.because(
          "\(PropertyNames.name(address.id)): \(capacity) bytes cannot hold an object's address")
      }
      data.storeBytes(of: object, as: UnsafeRawPointer?.self)
      size = UInt32(MemoryLayout<UnsafeRawPointer>.size)
    }
  }

  /// [control thread] Writes `size` bytes, or removes the value if `data` is null or `size` is 0.
  /// Then calls the listeners.
  public final func write(_ address: PropertyAddress, _ data: UnsafeRawPointer?, size: UInt32)
    throws(AudioError)
  {
    // Connecting locks two units. To avoid a deadlock, only one connection is made at a time.
    let connects = address.id == kAudioUnitProperty_MakeConnection
    let sourceOutput = connects ? ForeignOutput(data, size) : nil
    if connects { try Self.acquire(Self.connecting) }
    defer { if connects { Self.connecting.unlock() } }
    let changed = try control { () throws(AudioError) in
      try releaseLeftovers()
      let row = try row(address)
      guard let write = row.write else {
        throw .propertyNotWritable.because("\(PropertyNames.name(address.id)) is read only")
      }
      let before = currentValue(row, address)
      changedProperties.removeAll()
      foreignOutput = sourceOutput
      defer { foreignOutput = nil }
      do throws(AudioError) {
        if let data, size > 0 {
          if let refusal = refusal(row) { throw refusal }
          try write(self, address, UnsafeRawBufferPointer(start: data, count: Int(size)))
        } else {
          guard row.isRemovable else {
            throw .invalidPropertyValue.because("it cannot be removed")
          }
          try write(self, address, nil)
        }
      } catch { throw explained(error, address) }
      let isChange = before == nil || before != currentValue(row, address)
      return (isChange ? [address] : []) + changedProperties.filter { $0.id != address.id }
    }
    for property in changed { notifyListeners(property) }
  }

  /// The bytes of a property that notifies listeners only of changes; nil for others.
  private func currentValue(_ row: Property, _ address: PropertyAddress) -> [UInt8]? {
    guard row.notifiesOnlyChanges, let read = row.read,
      case .bytes(let bytes)? = try? read(self, address, [])
    else { return nil }
    return bytes
  }

  /// [any thread] Whether a property has listeners.
  public final func hasListeners(_ id: AudioUnitPropertyID) -> Bool {
    !listeners.entries { $0.id == id }.isEmpty
  }

  /// [any thread but the render thread] Calls the listeners of a property as soon as this thread
  /// holds no lock.
  public final func notifyListeners(_ address: PropertyAddress) {
    guard let handle else { return }
    AfterLocks.perform { [self] in
      listeners.call(where: { $0.id == address.id }) { $0.listener.call(handle, address) }
    }
  }

  /// The element whose format an address refers to; on the global scope it is the first output.
  package final func formatElement(_ address: PropertyAddress) throws(AudioError) -> Element {
    address.scope == kAudioUnitScope_Global && !outputs.isEmpty
      ? outputs[0] : try element(address.scope, address.element)
  }

  /// How many elements a scope may have.
  final func elementRange(_ scope: AudioUnitScope) -> ClosedRange<Int> {
    switch scope {
    case kAudioUnitScope_Input: elementCounts.inputRange
    case kAudioUnitScope_Output: elementCounts.outputRange
    default: 1...1
    }
  }

  /// [control thread, under the lock] Changes a format after all checks; an equal format counts as
  /// no change.
  package final func setFormat(_ format: StreamFormat, at element: Element) throws(AudioError) {
    guard format != element.format else { return }
    if element.isConnected {
      throw .propertyNotWritable.because(
        "\(element.title) is connected to \(element.sourceUnit?.title ?? "a unit"), which gives it "
          + element.format.text + "; disconnect first")
    }
    if let refusal = formatChangeRefusal(element) { throw refusal }
    try check(format, at: element)
    let rateChanged = element.format.sampleRate != format.sampleRate
    element.format = format
    if let layout = element.layout, ChannelLayouts.channelCount(layout) != format.channelCount {
      element.layout = nil
    }
    formatChanged(element)
    addFormatChange(element)
    guard rateChanged else { return }
    changedProperties.append(
      PropertyAddress(kAudioUnitProperty_SampleRate, element.scope, UInt32(element.index)))
    if parameterDefinitions.contains(where: { $0.spec.limit != .fixed }) {
      changedProperties.append(
        PropertyAddress(kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0))
    }
  }

  /// [control thread, under the lock] Adds an element's format to the changed properties.
  final func addFormatChange(_ element: Element) {
    changedProperties.append(
      PropertyAddress(kAudioUnitProperty_StreamFormat, element.scope, UInt32(element.index)))
  }
}
