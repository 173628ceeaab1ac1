// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioDevices
public import CAudioToolbox
import CRealTime

/// The IOProcs of all devices: implements the functions of AudioHardwareIO.h.
public enum DeviceIOs {
  private struct State {
    var devices: [AudioObjectID: DeviceIO] = [:]
    var last: UInt = 0
    /// Entries that run a device without a function.
    var withoutFunction: [AudioObjectID: IOProcEntry] = [:]
  }

  private static let state = Guarded(State())

  /// [control thread] The `DeviceIO` of a device. The first call makes it, and fails if the device
  /// is absent.
  private static func io(_ id: AudioObjectID) throws(AudioError) -> DeviceIO {
    if let io = state.withLock({ $0.devices[id] }) { return io }
    let device: Device
    do throws(AudioError) { device = try AudioObjects.device(id) } catch {
      throw AudioError(status: kAudioHardwareBadDeviceError).because(
        error.explanation)
    }
    return state.withLock { state in
      if let io = state.devices[id] { return io }
      let io = DeviceIO(id, device)
      state.devices[id] = io
      return io
    }
  }

  /// [control thread] Throws if there is no such device.
  static func check(_ id: AudioObjectID) throws(AudioError) { _ = try io(id) }

  /// [control thread] The IO of a device. Nil if it has never run.
  static func known(_ id: AudioObjectID) -> DeviceIO? { state.withLock { $0.devices[id] } }

  /// [control thread] Adds a function to a device and returns its number. `owner` is retained as
  /// long as the function exists.
  public static func add(
    _ function: @escaping AudioDeviceIOProc, _ context: UnsafeMutableRawPointer?,
    owner: AnyObject? = nil, to device: AudioObjectID
  ) throws(AudioError) -> UInt {
    let io = try io(device)
    // Odd and small, so that it is never an address of code.
    let id = state.withLock { state -> UInt in
      state.last += 1
      return state.last << 4 | 1
    }
    io.add(IOProcEntry(id, function, context, owner: owner))
    return id
  }

  /// [control thread] The older form of `add`, in which the address of the function is its number.
  public static func addByAddress(
    _ function: @escaping AudioDeviceIOProc, _ context: UnsafeMutableRawPointer?,
    to device: AudioObjectID
  ) throws(AudioError) {
    let io = try io(device)
    let id = unsafeBitCast(function, to: UInt.self)
    guard io.entry(id) == nil else {
      throw AudioError(status: kAudioHardwareIllegalOperationError).because(
        "\(io.uid) already has this function")
    }
    io.add(IOProcEntry(id, function, context))
  }

  /// [any thread] Removes a function. No call of it is in progress afterwards.
  public static func remove(_ id: UInt, from device: AudioObjectID) throws(AudioError) {
    guard let io = known(device), io.remove(id) else { throw unknownFunction(id, device) }
  }

  /// [any thread] Starts an IOProc. With an `id` of 0 the device runs although no IOProc is called.
  ///
  /// - Throws: The reason if the device cannot be opened.
  public static func start(_ id: UInt, on device: AudioObjectID, at hostTime: UInt64 = 0)
    throws(AudioError)
  {
    let io = try io(device)
    try io.start(try entry(id, io), at: hostTime)
  }

  /// [any thread] Stops a function, or undoes one start without a function.
  public static func stop(_ id: UInt, on device: AudioObjectID) throws(AudioError) {
    let io = try io(device)
    io.stop(try entry(id, io))
  }

  /// [control thread] Stops all functions on all devices.
  public static func stopAll() {
    for io in state.withLock({ Array($0.devices.values) }) { io.stopAll() }
  }

  private static func entry(_ id: UInt, _ io: DeviceIO) throws(AudioError) -> IOProcEntry {
    if id != 0 {
      guard let entry = io.entry(id) else { throw unknownFunction(id, io.id) }
      return entry
    }
    return state.withLock { state in
      if let entry = state.withoutFunction[io.id] { return entry }
      let entry = IOProcEntry(0, nil, nil)
      state.withoutFunction[io.id] = entry
      io.add(entry)
      return entry
    }
  }

  private static func unknownFunction(_ id: UInt, _ device: AudioObjectID) -> AudioError {
    AudioError(status: kAudioHardwareIllegalOperationError).because(
      "device \(device) has no function \(id): create one with AudioDeviceCreateIOProcID")
  }

  // MARK: Properties

  /// [control thread] Whether a function uses each stream of an endpoint. Nil if there is no such
  /// function.
  static func usage(_ id: UInt, _ device: Device, isInput: Bool) -> [Bool]? {
    guard let io = known(DeviceList.id(of: device)), let entry = io.entry(id) else { return nil }
    let unused = io.unused(entry, isInput: isInput)
    return device.streams(isInput: isInput).indices.map { !unused.contains($0) }
  }

  /// [control thread] Sets the streams of an endpoint that a function uses from now on.
  static func setUsage(_ id: UInt, _ device: Device, isInput: Bool, _ streams: [Bool])
    throws(AudioError)
  {
    guard let io = known(DeviceList.id(of: device)), let entry = io.entry(id) else {
      throw unknownFunction(id, DeviceList.id(of: device))
    }
    let unused = streams.indices.filter { !streams[$0] }
    io.setUnused(entry, isInput: isInput, Set(unused))
  }

  /// [control thread] The share of a cycle that functions may use.
  static func cycleUsage(of device: Device) -> Float {
    known(DeviceList.id(of: device))?.usage ?? 1
  }

  /// [control thread] Sets the share of a cycle that functions may use: above 0 and up to 1.
  static func setCycleUsage(of device: Device, _ usage: Float) throws(AudioError) {
    guard usage > 0, usage <= 1 else { throw refusal(device.uid, "\(usage)", "above 0, up to 1") }
    try io(DeviceList.id(of: device)).usage = usage
  }
}
