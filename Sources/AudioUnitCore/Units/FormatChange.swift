// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// A new format of an element of a unit. An equal format is no change and succeeds at any time.
struct FormatChange {
  let unit: NativeUnit
  let element: Element
  let format: StreamFormat

  init(_ unit: NativeUnit, _ element: Element, to format: StreamFormat) {
    self.unit = unit
    self.element = element
    self.format = format
  }

  /// [control thread, under the lock] Sets the format after all checks.
  func set() throws(AudioError) {
    guard format != element.format else { return }
    if element.isConnected {
      throw .propertyNotWritable.because(
        "\(element.title) is connected to \(element.sourceUnit?.title ?? "a unit"), which gives it "
          + element.format.text + "; disconnect first")
    }
    if let refusal = unit.formatChangeRefusal(element) { throw refusal }
    try unit.check(format, at: element)
    apply()
  }

  /// [control thread, under the lock] Gives the element the format of its future source. A
  /// connection sets the format, so an element with another, fixed format cannot be connected.
  func adopt(from source: String) throws(AudioError) {
    guard format != element.format else { return }
    if let refusal = unit.formatChangeRefusal(element) {
      throw .formatNotSupported.because(
        "\(source) gives \(format.text), \(element.title) has \(element.format.text): "
          + refusal.explanation)
    }
    do throws(AudioError) { try unit.check(format, at: element) } catch {
      throw .formatNotSupported.because("\(source) gives \(format.text): \(error.explanation)")
    }
    apply()
  }

  private func apply() {
    let rateChanged = element.format.sampleRate != format.sampleRate
    element.setFormat(format)
    unit.formatChanged(element)
    let index = UInt32(element.index)
    unit.propertyCalls.record(
      PropertyAddress(kAudioUnitProperty_StreamFormat, element.scope, index))
    guard rateChanged else { return }
    unit.propertyCalls.record(
      PropertyAddress(kAudioUnitProperty_SampleRate, element.scope, index))
    if unit.elements.definitions.contains(where: { $0.spec.limit != .fixed }) {
      unit.propertyCalls.record(
        PropertyAddress(kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0))
    }
  }
}
