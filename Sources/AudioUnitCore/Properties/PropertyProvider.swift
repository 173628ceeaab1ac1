// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// Answers for properties that are in no table of a unit, such as those of the device of an output unit.
///
/// It is called without the lock of the unit, so that it may take its time.
public protocol PropertyProvider: AnyObject, Sendable {
  /// [any thread] Whether it answers for a property.
  func provides(_ id: AudioUnitPropertyID) -> Bool
  /// [control thread] Size and writability.
  func info(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo
  /// [control thread] Writes at most `size` bytes and stores in `size` how many.
  func read(_ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32)
    throws(AudioError)
  /// [control thread] Takes over a value.
  func write(_ address: PropertyAddress, _ data: UnsafeRawBufferPointer) throws(AudioError)
  /// [control thread] A listener of such a property was added or removed. Whoever provides has it called,
  /// by `notifyListeners` of the unit.
  func listenersChanged(_ id: AudioUnitPropertyID)
}
