// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// The listeners of the older functions, which are called with other arguments. Each is a current
/// listener that calls the program's function.
public final class OlderListeners: Sendable {
  public static let shared = OlderListeners()

  /// The program's function.
  public enum Function: @unchecked Sendable {
    case device(AudioDevicePropertyListenerProc)
    case system(AudioHardwarePropertyListenerProc)
    case stream(AudioStreamPropertyListenerProc)

    fileprivate var code: UInt {
      switch self {
      case .device(let function): unsafeBitCast(function, to: UInt.self)
      case .system(let function): unsafeBitCast(function, to: UInt.self)
      case .stream(let function): unsafeBitCast(function, to: UInt.self)
      }
    }
  }

  private final class Entry: @unchecked Sendable {
    let object: AudioObjectID
    let address: AudioObjectPropertyAddress
    let function: Function
    let context: UnsafeMutableRawPointer?

    init(
      _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ function: Function,
      _ context: UnsafeMutableRawPointer?
    ) {
      (self.object, self.address) = (object, address)
      (self.function, self.context) = (function, context)
    }

    func call() -> OSStatus {
      // The program may have passed a null context; in C the parameter may be null.
      switch function {
      case .device(let function):
        let isInput = address.mScope == kAudioObjectPropertyScopeInput
        return function(object, address.mElement, isInput, address.mSelector, context)
      case .system(let function): return function(address.mSelector, context)
      case .stream(let function):
        return function(object, address.mElement, address.mSelector, context)
      }
    }

    func isSame(
      _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ function: Function
    ) -> Bool {
      self.object == object && self.address.mSelector == address.mSelector
        && self.address.mScope == address.mScope && self.address.mElement == address.mElement
        && self.function.code == function.code
    }
  }

  private let entries = Guarded<[Entry]>([])

  private static let forward: AudioObjectPropertyListenerProc = { _, _, _, context in
    guard let context else { return noErr }
    return Unmanaged<Entry>.fromOpaque(context).takeUnretainedValue().call()
  }

  private init() {}

  /// [control thread] Calls `function` when a property changes.
  public func add(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ function: Function,
    _ context: UnsafeMutableRawPointer?
  ) throws(AudioError) {
    let entry = Entry(object, address, function, context)
    try AudioObjectListeners.shared.add(
      object, address, Self.forward, Unmanaged.passUnretained(entry).toOpaque())
    entries.withLock { $0.append(entry) }
  }

  /// [control thread] Removes all listeners with that function, regardless of their context.
  public func remove(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ function: Function
  ) throws(AudioError) {
    let removed = entries.withLock { entries in
      let removed = entries.filter { $0.isSame(object, address, function) }
      entries.removeAll { entry in removed.contains { $0 === entry } }
      return removed
    }
    guard !removed.isEmpty else {
      throw .invalidArgument.because("the listener was not added to audio object \(object)")
    }
    for entry in removed {
      try AudioObjectListeners.shared.remove(
        object, address, Self.forward, Unmanaged.passUnretained(entry).toOpaque())
    }
  }
}
