// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// Property calls: find the row, check scope and element, read or write, and call the listeners.
extension NativeUnit {
  /// [control thread] Every row that a host can access: first the unit's own, then those of all
  /// units.
  public final var allProperties: [UnitProperty] { lock.withLock { table.rows(of: self) } }

  private func row(_ address: PropertyAddress) throws(AudioError) -> UnitProperty {
    let row = try table.row(address, of: self)
    switch row.addressing {
    case .element: _ = try element(address.scope, address.element)
    // Element 0 means the scope, even if the scope has no elements.
    case .scope where address.element > 0: _ = try element(address.scope, address.element)
    case .scope, .parameter, .owner: break
    }
    return row
  }

  /// [control thread] Size and writability of a property.
  public final func info(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo {
    try control { () throws(AudioError) -> PropertyInfo in
      let row = try row(address)
      return try table.info(row, PropertyQuery(self, address, .units))
    }
  }

  /// [control thread] Reads at most `size` bytes into `data`; a longer value is truncated.
  public final func read(
    _ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    let room = Int(size)
    let value = try control { () throws(AudioError) -> PropertyValue in
      let row = try row(address)
      let memory = UnsafeMutableRawBufferPointer(start: data, count: room)
      return try table.value(row, PropertyQuery(self, address, .units, memory: memory))
    }
    size = try PropertyFamily.units.write(value, address, to: data, room: room)
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
      let before = comparedValue(row, address)
      changedProperties.removeAll()
      foreignOutput = sourceOutput
      defer { foreignOutput = nil }
      let bytes = data.flatMap {
        size > 0 ? UnsafeRawBufferPointer(start: $0, count: Int(size)) : nil
      }
      try table.write(row, address, of: self, bytes)
      let isChange = before == nil || before != comparedValue(row, address)
      return (isChange ? [address] : []) + changedProperties.filter { $0.id != address.id }
    }
    for property in changed { notifyListeners(property) }
  }

  /// The bytes of a property that notifies listeners only of changes; nil for others.
  private func comparedValue(_ row: UnitProperty, _ address: PropertyAddress) -> [UInt8]? {
    guard case .changes = row.notification, row.write != nil,
      case .bytes(let bytes, _, _)? = try? row.read?(PropertyQuery(self, address, .units))
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
