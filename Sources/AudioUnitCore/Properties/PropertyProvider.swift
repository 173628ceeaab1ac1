// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// Implements properties that are not in a unit's tables, such as those of an output unit's device.
///
/// It is called without the unit's lock, so it may be slow.
public protocol PropertyProvider: AnyObject, Sendable {
  /// [any thread] Whether it implements a property.
  func provides(_ id: AudioUnitPropertyID) -> Bool
  /// [control thread] Size and writability.
  func info(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo
  /// [control thread] Writes at most `size` bytes into `data`, and their number into `size`.
  func read(_ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32)
    throws(AudioError)
  /// [control thread] Sets a value.
  func write(_ address: PropertyAddress, _ data: UnsafeRawBufferPointer) throws(AudioError)
  /// [control thread] A listener of such a property was added or removed. The provider notifies it
  /// through the unit's `notifyListeners`.
  func listenersChanged(_ id: AudioUnitPropertyID)
}
